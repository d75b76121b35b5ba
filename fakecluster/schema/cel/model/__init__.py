"""What rules are made of: values, the shapes of their types,
ranges of sizes, syntax trees (FK-271, FK-276).
"""
