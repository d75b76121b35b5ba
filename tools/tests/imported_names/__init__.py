"""Tests of the check of imported names."""
