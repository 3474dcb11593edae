"""A case repeated from its originals, and the bundled sample: what comes out must be what is on record."""
