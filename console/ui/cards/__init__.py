"""The cards that ask the operator: they stand in the window and never block it."""
