"""Numbers that stand in text: how Go and Kubernetes read them,
their bounds, and the texts of what is refused.

All text of a client that becomes a number is read here: `integers` (strconv),
`quantity` (resource.Quantity). Reading costs no more than the text is long,
whatever its exponents and digits say, and no message is Python's.
"""
