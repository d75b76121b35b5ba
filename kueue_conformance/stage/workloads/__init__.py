"""Workloads of a scenario: their observed state, story, Job, and steps on them."""
