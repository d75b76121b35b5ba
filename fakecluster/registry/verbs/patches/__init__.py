"""PATCH in its four formats (FK-160…FK-175)."""
