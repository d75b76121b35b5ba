"""The way from the harness to an API server: where it is, how to ask it, what is in a collection and what becomes of it."""
