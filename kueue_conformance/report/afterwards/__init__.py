"""Commands on finished reports: verify, compare, merge, judge again, submit."""
