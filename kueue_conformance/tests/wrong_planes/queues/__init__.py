"""Wrong about queues: whether they are active, what they tell, who waits in them and who is woken."""
