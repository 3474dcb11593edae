"""A reconstruction with all that led to it, and the file that holds it; no other room knows the format."""
