"""Removes nodes that are not needed."""
