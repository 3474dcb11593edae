"""The desk: a table beside the pages, on which groups of shreds are laid and tried before they are placed."""
