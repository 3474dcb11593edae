"""The sample inspector: what could stand on the other side of a cut."""
