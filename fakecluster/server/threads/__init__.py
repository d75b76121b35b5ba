"""The loop's thread, the worker beside it, and how a result
comes from one thread to another (S1, S2, design.md §6).
"""
