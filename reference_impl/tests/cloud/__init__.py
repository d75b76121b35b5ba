"""Tests of the cloud."""
