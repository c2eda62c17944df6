"""What applications say about themselves, by AT-SPI over D-Bus."""
