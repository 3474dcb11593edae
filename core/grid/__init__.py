"""Cross-cut paper: pieces compared at all four borders, put into rows, and rows into pages."""
