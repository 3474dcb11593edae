"""Intact pages, and what software makes of them: printed and scanned, cut, sampled, mixed."""
