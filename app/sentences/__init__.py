"""Sentences of what was done with a case, and of what is different in it."""
