"""Cross-cut paper: how many pieces are put beside, and below, those that they were cut from."""
