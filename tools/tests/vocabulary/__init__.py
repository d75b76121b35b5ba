"""Tests of the check of names."""
