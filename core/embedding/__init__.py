"""What the networks see of borders, and of windows of a shred: alone loads networks."""
