"""Tasks done by other processes, on this machine or on others, through Dask."""
