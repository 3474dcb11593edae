"""What the networks learn, and how: recipes, losses, the loop, checkpoints, the card of the weights."""
