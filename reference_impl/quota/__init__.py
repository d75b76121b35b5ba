"""Quota: flavors, cohorts, and who uses how much of what. Pure: no I/O, no clock."""
