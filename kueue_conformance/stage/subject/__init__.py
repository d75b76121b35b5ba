"""The check controller that is judged, and what disturbs it."""
