"""DELETE of one object and of a collection (FK-110…FK-119)."""
