"""What happened in a case: every write with its author, what was read, and what it cost."""
