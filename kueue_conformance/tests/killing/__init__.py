"""Who kills whom: every wrong controller of the zoo against
every scenario, and the page that tells it (N-04).
"""
