"""ADM: quota reserved, kept, lost, and the flavors that are assigned."""
