"""The report on a reconstruction, typeset as PDF/A."""
