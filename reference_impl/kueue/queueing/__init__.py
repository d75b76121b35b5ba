"""Pending Workloads: their order, when they are tried, parked and tried again. Pure: time is an argument."""
