"""The core group, `v1` (FK-495…498, FK-504)."""
