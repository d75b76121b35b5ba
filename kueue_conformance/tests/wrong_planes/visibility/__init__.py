"""Wrong about the pending-workloads API."""
