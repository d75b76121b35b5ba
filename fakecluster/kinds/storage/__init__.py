"""The group `storage.k8s.io` (FK-504)."""
