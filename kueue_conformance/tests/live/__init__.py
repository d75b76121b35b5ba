"""The page of `run --live`."""
