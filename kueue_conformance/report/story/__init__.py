"""The story of a case as plain data, and the evidence that is kept of it."""
