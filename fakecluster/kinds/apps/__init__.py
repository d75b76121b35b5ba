"""The group `apps` (FK-465, FK-500)."""
