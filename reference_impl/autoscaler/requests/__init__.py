"""ProvisioningRequests: what they say, which are served, when they are tried again, when they end."""
