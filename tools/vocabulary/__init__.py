"""Measures the names, comments and layout of the packages, and holds them to limits that only shrink."""
