"""VSB: the API of pending Workloads (KEP-168-2)."""
