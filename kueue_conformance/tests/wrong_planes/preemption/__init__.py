"""Wrong about preemption and fair sharing: who goes, who waits for whom, whose share counts."""
