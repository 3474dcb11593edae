"""What goes out for people, programs and the court."""
