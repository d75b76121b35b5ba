"""YAML bodies and answers (FK-020)."""
