"""Icons, style, samples and weights."""
