"""A budget as a request has one, for what is called without a request."""

from contextlib import contextmanager

from fakecluster.schema import request_budget


@contextmanager
def a_budget():
    before = request_budget.LEFT.set(request_budget.LIMITS.copy())
    try:
        yield
    finally:
        request_budget.LEFT.reset(before)
