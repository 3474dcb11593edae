"""What holds for all cases and is no option of a stage."""
