"""AdmissionChecks of a scenario, and what is seen of them."""
