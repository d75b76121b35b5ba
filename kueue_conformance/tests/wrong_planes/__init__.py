"""Wrong control planes: each overrides one decision of the reference,
and a scenario is named that must catch it.
"""
