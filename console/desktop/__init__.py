"""The live desktop: what can be seen on it and done to it."""
