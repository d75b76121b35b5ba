"""Server-side apply and managed fields: who owns what, before and after every write (FK-200…225)."""
