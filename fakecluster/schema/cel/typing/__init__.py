"""Types and cost of expressions, found before they are evaluated (FK-273, FK-276)."""
