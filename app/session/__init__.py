"""The application without a screen: what is open, what is done with it, and what runs."""
