"""What the encoder learns, and how: recipes, losses, the loop, checkpoints, the card of the weights."""
