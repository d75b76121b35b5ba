"""Newer releases that still do what an older one does, each against the row of what changed."""
