"""`demo`: the whole stack at work on virtual time, told as `kubectl get --watch` would tell it and drawn as a page."""
