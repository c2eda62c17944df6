"""One handler for each kind of action, and what all of them share."""
