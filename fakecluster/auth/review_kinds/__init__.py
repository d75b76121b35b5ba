"""Kinds of authentication.k8s.io and authorization.k8s.io:
questions that are answered and not stored (FK-401…404).
"""
