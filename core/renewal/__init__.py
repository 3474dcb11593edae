"""A case brought up to date: solved again, read anew, one sheet mended, sheets added; what was done by hand stays."""
