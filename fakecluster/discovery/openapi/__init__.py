"""OpenAPI documents of the served kinds, versions 2 and 3,
from one description of schemas and operations (FK-371…375).
"""
