"""The group `batch` (FK-465…470, FK-477)."""
