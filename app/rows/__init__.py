"""Rows of cross-cut paper: where they stand on their page, and which pieces stand directly below each other."""
