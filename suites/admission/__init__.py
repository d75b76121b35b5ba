"""ADM: KEP-993 seen from Kueue's side."""
