"""The catalogue: requirements, the contract of check controllers,
all scenarios, and where each was last run.
"""
