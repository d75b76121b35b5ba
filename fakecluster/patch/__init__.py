"""What the four kinds of PATCH make of an object,
and who owns which field afterwards: pure functions of JSON trees.
"""
