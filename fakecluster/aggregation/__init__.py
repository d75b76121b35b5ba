"""API servers behind this one: which paths are theirs,
how a request is passed on, whether they can be reached (FK-435…442).
"""
