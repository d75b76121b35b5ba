"""JSON patch and JSON merge patch, and the copies that they make (FK-161…164)."""
