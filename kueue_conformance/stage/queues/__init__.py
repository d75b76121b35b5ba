"""ClusterQueues with their LocalQueues: whether they admit, their usage and metrics, and what a Workload needs to get quota."""
