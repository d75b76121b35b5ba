"""One scheduling cycle: nominate heads, assign flavors, order, reserve, requeue."""
