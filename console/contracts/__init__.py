"""The words that every part of the console shares: frozen values and small protocols, no I/O."""
