"""Looking closely: what changes the view alone, tones, measures and guide lines; nothing of it touches the case."""
