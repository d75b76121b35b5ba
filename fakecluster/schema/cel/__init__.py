"""Validation rules of schemas, written in CEL (FK-271…276)."""
