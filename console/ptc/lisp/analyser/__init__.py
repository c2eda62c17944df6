"""From forms to closures: every name is resolved and every special form understood before anything runs."""
