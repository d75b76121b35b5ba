"""Cohorts with their ClusterQueues and Workloads, written as one line of text."""
