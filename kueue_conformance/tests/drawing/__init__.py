"""Draws the packages and the ways through them from the code: `make drawings`."""
