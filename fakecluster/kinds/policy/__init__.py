"""The group `policy`: disruption budgets, and evictions that they allow (FK-487, FK-504)."""
