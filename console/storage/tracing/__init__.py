"""A run as a trace: spans for OpenTelemetry, and entries in JSON lines."""
