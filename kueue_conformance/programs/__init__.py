"""Programs beside the harness: what they are, how a missing one is got, and that they end with us."""
