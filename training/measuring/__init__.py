"""How well shreds are found and put back together, on real shreds whose order is known."""
