"""Queues with provisioning checks, and a scripted autoscaler."""
