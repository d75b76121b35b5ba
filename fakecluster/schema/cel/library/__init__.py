"""The functions that Kubernetes adds to CEL: one module for each library (FK-275)."""
