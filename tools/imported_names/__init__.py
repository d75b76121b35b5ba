"""Finds imports of names that no module of the checkout defines, without importing anything."""
