"""What is seen of the desktop, tested without one."""
