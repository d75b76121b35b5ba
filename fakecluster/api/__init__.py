"""The API machinery: pure functions from a request and a store to an outcome."""
