"""One case while it runs: its context, the judgement of it, and the text of a failure."""
