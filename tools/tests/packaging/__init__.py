"""Tests of what builds for pip require."""
