"""The devices that send, tested without a display."""
