"""The group `flowcontrol.apiserver.k8s.io` (FK-501, FK-520)."""
