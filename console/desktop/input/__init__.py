"""Keyboard and pointer: exact, stoppable at any moment, nothing left pressed."""
