"""Subjects that do not ask the verdict endpoint: the outside system is reached by drivers (harness/H-11)."""
