"""UPG: what a control plane does that takes the place of one of another release in the middle of a story."""
