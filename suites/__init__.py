"""The scenarios: one folder a profile. A file reads like the document it checks."""
