"""Conformance suite for Kueue's two-stage admission."""
