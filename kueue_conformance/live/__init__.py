"""`run --live`: a page on loopback that fills while the cases run.

The leading process serves the page and holds what is known of the run; each worker sends what its case looks
like, at most a few times a second. Nothing here is imported where `--live` is not given.
"""
