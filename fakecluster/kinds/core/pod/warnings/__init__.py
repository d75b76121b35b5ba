"""What a server accepts with a warning in pods and their templates (FK-236)."""
