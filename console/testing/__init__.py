"""Doubles and a private desktop, for tests of the console and of planners written for it."""
