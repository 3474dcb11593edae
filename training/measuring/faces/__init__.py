"""Shreds with two faces: how well faces are paired, and what both are worth for the order."""
