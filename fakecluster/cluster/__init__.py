"""One fake cluster: what it is made of, how it is started,
driven and stopped, its time, pods and snapshots.
"""
