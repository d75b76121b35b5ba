"""The scheduler once more, straight from sections 2 to 7 of the page: nothing kept, nothing undone, every
head looked at in every cycle (P-051).

Workloads and queues are plain values; all figures of a tree are computed
anew from the list of what is held, which is copied for every trial. Without
admission checks, limits on pods, fair sharing and equivalence hashing.
"""
