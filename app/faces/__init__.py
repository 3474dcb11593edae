"""Both faces in the window: paper turned over, its back beside the page, and which shreds are one paper."""
