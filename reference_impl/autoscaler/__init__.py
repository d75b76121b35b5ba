"""An autoscaler that answers ProvisioningRequests,
with cluster-autoscaler's command line and cloud protocol (seed 004).
"""
