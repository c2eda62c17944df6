"""The window: panels, models and notices, in Qt."""
