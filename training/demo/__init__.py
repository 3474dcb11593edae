"""The bundled demonstration: two pages of our own, printed, cut and scanned in software."""
