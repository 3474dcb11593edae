"""Paper that was cut both ways: told from strips, its pieces parted where they touch; a set decides as a whole."""
