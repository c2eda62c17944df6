"""The timeline: what happened, one row an attempt."""
