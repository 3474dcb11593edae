"""Borders become costs of joins, and costs become confidence."""
