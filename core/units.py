"""Units: every stage after reading works at one resolution."""

DPI = 300
"""Resolution at which every stage after reading works."""
