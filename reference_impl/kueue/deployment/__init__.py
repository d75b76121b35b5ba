"""What a cluster needs to run the reference inside: `kueue-reference manifests` prints it."""
