"""Wrong about the life of a Workload: conditions, times, ends, events and the API."""
