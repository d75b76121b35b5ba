"""`manifests`: the suite as a Job of a cluster."""
