"""The cloud beside a fake API server."""
