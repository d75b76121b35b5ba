"""Wrong about Jobs: their Workloads, their start and their changes."""
