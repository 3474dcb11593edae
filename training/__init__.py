"""Trains and measures the encoder; nothing here is needed to use Rejoin."""
