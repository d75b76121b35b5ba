"""ADM: ClusterQueues and LocalQueues: whether they admit, their order, usage and metrics."""
