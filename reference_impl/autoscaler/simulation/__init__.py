"""Where pods would fit: nodes, pods, the rules of a scheduler, and packing on nodes that
are not there yet.
"""
