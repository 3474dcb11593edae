"""Pages of invented documents, to train on: varied, reproducible from a seed, typeset into small PDF files.

Run ``python -m training.rendering -o FOLDER --pages 2000 --seed 1``; `training.corpus` prints and scans them in
software. Nothing here is needed for that second step, which runs where WeasyPrint and the fonts are missing.
"""

CREATOR = "Rejoin, training.rendering"
"""Stands in the PDF files as their creator, so that `training.corpus` knows them."""
