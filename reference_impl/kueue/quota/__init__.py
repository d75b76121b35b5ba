"""Quota: flavors, cohorts, and usage."""
