"""Regions of a sheet: each is cut out as a shred, after they were mended as the examiner says."""
