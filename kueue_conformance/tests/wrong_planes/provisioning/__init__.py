"""Wrong about ProvisioningRequests of a check."""
