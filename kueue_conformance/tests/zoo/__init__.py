"""The zoo: one right check controller (`right`), and wrong ones,
each a small difference from it, in modules by family.
"""
