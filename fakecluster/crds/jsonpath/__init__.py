"""Kubernetes' JSONPath, as printer columns and selectable fields use it (FK-280, FK-420, FK-422)."""
