"""Conditions of a claim for which the binding of a pod waits:
of devices and of their allocations (FK-504).
"""

from __future__ import annotations

from ...base.json_types import Json
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from .bounded_collections import judge_list

MOST_CONDITIONS = 4
CONDITIONS_OVERLAP = "bindingFailureConditions must not overlap with bindingConditions"
CONDITIONS, FAILURES = "bindingConditions", "bindingFailureConditions"


def binding_conditions(value: Json, path: str) -> Errors:
    """Judge the conditions of a device: of success and of failure there are both, and no type twice."""
    conditions, failures = value.get(CONDITIONS), value.get(FAILURES)
    for name in (CONDITIONS, FAILURES):
        yield from judge_list(value.get(name), MOST_CONDITIONS, f"{path}.{name}", basics.label_key)
    yield from basics.unique(conditions or (), f"{path}.{CONDITIONS}")
    yield from _distinct_failures(failures or [], frozenset(conditions or ()), f"{path}.{FAILURES}")
    if failures and not conditions:
        yield fields.invalid(
            f"{path}.{CONDITIONS}", conditions, f"{CONDITIONS} are required to use {FAILURES}"
        )
    if conditions and not failures:
        yield fields.invalid(f"{path}.{FAILURES}", failures, f"{FAILURES} are required to use {CONDITIONS}")


def _distinct_failures(failures: list[str], conditions: frozenset[str], path: str) -> Errors:
    earlier: set[str] = set()
    for number, failure in enumerate(failures):
        if failure in earlier:
            yield fields.duplicate(f"{path}[{number}]", failure)
        if failure in conditions:
            yield fields.invalid(f"{path}[{number}]", failure, CONDITIONS_OVERLAP)
        earlier.add(failure)
