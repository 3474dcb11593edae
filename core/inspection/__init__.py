"""Answers to the examiner: what to ask next, how two shreds meet, what else could stand there."""
