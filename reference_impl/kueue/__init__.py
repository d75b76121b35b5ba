"""The side of Kueue: admission, queues, quota, Jobs, webhooks, visibility
and the ProvisioningRequest check.
"""
