"""The run: its loop, its rules, the view, and the gate. asyncio and contracts only."""
