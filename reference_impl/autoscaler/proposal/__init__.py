"""What the proposal of 2023 asks of an autoscaler, where it differs from what became of it (PR-200…221)."""
