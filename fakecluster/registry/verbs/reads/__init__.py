"""GET: one object, a list, a page, a watch (FK-130…FK-151)."""
