"""What all planners that call a model share: settings, the connection, calls with their retries, and their errors."""
