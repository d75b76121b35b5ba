"""Services: their row, addresses and ports, defaults, rules, columns (FK-498, FK-504)."""
