"""AdmissionChecks of a scenario and their observed state."""
