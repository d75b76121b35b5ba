"""Node groups: which are healthy, which may grow, which of them is chosen and by how many nodes."""
