"""What makes the objects of a case: names of its own, manifests, flavors, podSets."""
