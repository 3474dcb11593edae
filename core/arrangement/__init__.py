"""Which shred stands where, and the edits that alone change it; pages are composed from it."""
