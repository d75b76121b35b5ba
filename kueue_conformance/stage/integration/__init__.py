"""The judged job integration: its jobs, and what can be done to them."""
