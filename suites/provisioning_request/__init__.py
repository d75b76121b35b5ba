"""PRQ: what an autoscaler that answers ProvisioningRequests must do (provisioning.md Part A)."""
