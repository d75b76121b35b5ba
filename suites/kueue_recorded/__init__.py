"""KRC: what a control plane does in the recorded stories of a real Kueue."""
