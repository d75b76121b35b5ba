"""The extension API server that answers which Workloads wait, and where (KEP-168-2; visibility.md)."""
