"""A pytest session of the harness: its fixtures, the progress line, interruption and exit code."""
