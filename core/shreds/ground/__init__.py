"""What lies under the shreds: which surfaces, in what light, the scanner’s lid and frame; and which of all is paper."""
