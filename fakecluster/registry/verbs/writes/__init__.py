"""POST and PUT: a body becomes an object, is admitted, validated and stored (FK-060…FK-109)."""
