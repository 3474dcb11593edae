"""Borders become costs of joins, and costs become confidence; the only room that loads Keras."""
