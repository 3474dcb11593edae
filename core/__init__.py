"""Takes numpy arrays and gives numpy arrays: everything Rejoin knows about paper, without a window."""

__version__ = "0.18.2"
