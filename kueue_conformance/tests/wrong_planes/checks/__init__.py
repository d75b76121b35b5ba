"""Wrong about AdmissionChecks: the list, its entries, verdicts, resets and retries."""
