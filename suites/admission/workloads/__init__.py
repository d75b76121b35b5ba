"""ADM: evictions, deactivation, gates, events, and what Kueue leaves alone."""
