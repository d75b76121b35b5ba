"""The group `admissionregistration.k8s.io` (FK-301, FK-304, FK-320)."""
