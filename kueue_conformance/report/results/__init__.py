"""Results of cases as values: noted on a worker, folded,
compared with expectations, recomputed from a report file.
"""
