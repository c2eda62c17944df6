"""The run journal, its blobs, settings and export, on disk."""
