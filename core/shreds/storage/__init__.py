"""What is kept of shreds outside memory: packed, and by sheet from one run to the next."""
