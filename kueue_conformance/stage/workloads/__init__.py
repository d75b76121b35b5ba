"""Workloads of a scenario: what is seen of one, its story, its Job, and what is done to it."""
