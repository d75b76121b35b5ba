"""CHK: what a check controller owes, with Kueue played by the scenario."""
