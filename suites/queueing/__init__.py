"""QUE: which Workloads wait, which get quota, and which have to give it back (Kueue documentation, KEPs 79,
83, 420, 582, 1224, 1337).
"""
