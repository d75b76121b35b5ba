"""Users of the cluster with their rights, and how many of their requests are answered at a time."""
