"""The functions of the language, a file a subject."""
