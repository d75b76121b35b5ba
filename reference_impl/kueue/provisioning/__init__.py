"""Kueue's provisioning check controller: requests capacity by ProvisioningRequests (provisioning.md
Part B).
"""
