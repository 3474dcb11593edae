"""The light table: all pages side by side as small pictures, to be looked over, put in order, and marked."""
