"""Both faces of the paper: which shreds are one, and what a join costs by what is on either of its faces."""
