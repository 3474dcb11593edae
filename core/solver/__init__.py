"""Costs become the cheapest order, and a proof; it sees numbers and identifiers, not paper."""
