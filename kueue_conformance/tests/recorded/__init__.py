"""Replays what a real Kueue was seen to do (design.md §8): golden cases of `fixtures/recordings/kueue-v0.19.2/`."""
