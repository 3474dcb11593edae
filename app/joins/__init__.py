"""Joins: answered, reviewed, and seen in close-up."""
