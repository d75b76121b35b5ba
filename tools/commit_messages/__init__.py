"""Checks the message of a commit before Git takes it."""
