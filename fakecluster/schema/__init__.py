"""Structural schemas compiled to closures: prune, default, validate, CEL."""
