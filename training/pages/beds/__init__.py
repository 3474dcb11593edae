"""What shreds are laid on, and how such sheets are scanned or photographed: strangers' scans, with the truth known."""
