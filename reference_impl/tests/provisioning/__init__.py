"""Tests of the provisioning check controller."""
