"""A page as it is looked at: where each of its shreds lies to the pixel, and both renditions, evidence and reading."""
