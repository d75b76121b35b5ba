"""Kueue's objects: names, quantities, typed views, and the CustomResourceDefinitions (design.md §3)."""
