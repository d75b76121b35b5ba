"""ADM: the list of a Workload's checks, and what a check may do."""
