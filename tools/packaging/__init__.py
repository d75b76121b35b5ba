"""How the distributions of this checkout are built."""
