"""Carries the acts of a story out on a cluster: one module for each who acts, or what the acts are about."""
