"""What the planner saw, what was done, and the raw words of both."""
