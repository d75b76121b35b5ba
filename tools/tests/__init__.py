"""Tests of the programs for contributors."""
