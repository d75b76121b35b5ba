"""Tests of what is made from the Go types of Kubernetes."""
