"""HTTP/1.1 as values: requests out of bytes, heads of answers, and what is objected to before a request is
looked at (FK-007).
"""
