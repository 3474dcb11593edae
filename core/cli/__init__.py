"""What runs without a window: one module for each command."""
