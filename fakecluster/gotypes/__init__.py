"""The Go types of built-in objects: decoding a JSON value into its type,
and how Go prints and omits it (FK-041, FK-502).
"""
