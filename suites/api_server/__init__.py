"""API: what a Kubernetes API server answers, as the real one was seen to."""
