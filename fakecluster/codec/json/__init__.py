"""JSON bodies as Go reads them: syntax errors, repeated keys, depth, numbers."""
