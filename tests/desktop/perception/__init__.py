"""What the console sees of a desktop."""
