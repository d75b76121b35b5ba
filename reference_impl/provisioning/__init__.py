"""Kueue's check controller for provisioning: it asks an autoscaler for room by ProvisioningRequests (provisioning.md Part B)."""
