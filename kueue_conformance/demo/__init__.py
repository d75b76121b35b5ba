"""`demo`: the whole stack on virtual time, printed like `kubectl get --watch` and drawn as a page."""
