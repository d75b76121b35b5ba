"""The group `rbac.authorization.k8s.io` (FK-499, FK-504)."""
