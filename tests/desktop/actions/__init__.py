"""Tests of the actions on the live desktop."""
