"""What is open survives a crash, and two windows do not save over each other."""
