"""The controllers of ClusterQueue, LocalQueue, flavors,
checks and priority classes: their status and finalizers.
"""
