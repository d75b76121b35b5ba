"""AdmissionChecks: which apply to a Workload, and the list of their answers in its status."""
