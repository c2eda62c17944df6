"""Planners: what decides the next move."""
