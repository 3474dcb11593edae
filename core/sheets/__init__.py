"""Files become sheets: pixels at one resolution, with their SHA-256."""
