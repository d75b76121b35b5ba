"""The group `certificates.k8s.io` (FK-495)."""
