"""The harness's clients of an API server: connection, requests, list and watch."""
