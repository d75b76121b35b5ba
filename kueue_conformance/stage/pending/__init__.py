"""Lists of pending Workloads, as the visibility API answers them (KEP-168-2)."""
