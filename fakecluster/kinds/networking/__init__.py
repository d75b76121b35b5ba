"""The group `networking.k8s.io` (FK-495, FK-504)."""
