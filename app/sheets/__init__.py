"""The sheets: their list, and where a shred came from."""
