"""ADM: Kueue's kinds: versions, defaults, limits, validation."""
