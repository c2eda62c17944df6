"""The screen: what was there, and where the input went."""
