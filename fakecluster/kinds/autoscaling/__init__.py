"""The group `autoscaling` (FK-495, FK-504)."""
