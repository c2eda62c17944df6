"""Operator Console: watch and steer an agent that works on a live desktop."""

__version__ = "0.3.0"
