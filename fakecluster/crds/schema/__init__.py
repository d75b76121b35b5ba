"""The schema of a definition: structure, dialect, rules, list maps (FK-252, FK-268)."""
