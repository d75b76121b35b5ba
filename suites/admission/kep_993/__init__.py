"""ADM: the transitions, policies and preemptions that KEP-993 describes."""
