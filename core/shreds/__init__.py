"""Sheets become shreds: upright, with clean masks and borders in one common frame."""
