"""ProvisioningRequests of Workloads, and the templates that they refer to."""
