"""Vectors: recorded exchanges with a real API server,
and the means to refresh and to check them (design.md §8).
"""
