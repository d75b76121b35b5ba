"""Tests of the check of commit messages."""
