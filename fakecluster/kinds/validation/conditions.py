"""Conditions in a status, as the API machinery judges them (FK-504)."""

from __future__ import annotations

import re

from ...base.json_types import Json
from ...schema import fields
from . import basics
from .basics import Errors

STATUSES = ("False", "True", "Unknown")
REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
REASON_TEXT = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:',"
    " and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB', "
    " or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
)
REASON_LIMIT, MESSAGE_LIMIT = 1024, 32 * 1024


def full(conditions: list[Json], path: str) -> Errors:
    """Judge conditions of the common type: all members are wanted."""
    kinds: set[str] = set()
    for number, condition in enumerate(conditions):
        item_path, kind = f"{path}[{number}]", condition.get("type", "")
        if kind in kinds:
            yield fields.duplicate(f"{item_path}.type", kind)
        kinds.add(kind)
        yield from basics.label_key(kind, f"{item_path}.type")
        yield from _judge(condition, item_path)


def _judge(condition: Json, path: str) -> Errors:
    if condition.get("status", "") not in STATUSES:
        yield fields.not_supported(f"{path}.status", condition.get("status", ""), list(STATUSES))
    if (observed := condition.get("observedGeneration", 0)) < 0:
        yield fields.invalid(f"{path}.observedGeneration", observed, "must be greater than or equal to zero")
    if not condition.get("lastTransitionTime"):
        yield fields.required(f"{path}.lastTransitionTime")
    reason = condition.get("reason", "")
    if not reason:
        yield fields.required(f"{path}.reason")
    elif not REASON.fullmatch(reason):
        yield fields.invalid(f"{path}.reason", reason, REASON_TEXT)
    if len(reason) > REASON_LIMIT:
        yield fields.too_long(f"{path}.reason", REASON_LIMIT)
    if len(condition.get("message", "")) > MESSAGE_LIMIT:
        yield fields.too_long(f"{path}.message", MESSAGE_LIMIT)


def judge_types(conditions: list[Json], path: str) -> Errors:
    """Judge conditions of which only the type matters."""
    kinds: set[str] = set()
    for number, condition in enumerate(conditions):
        kind = condition.get("type", "")
        if not kind:
            yield fields.required(f"{path}[{number}].type")
        elif kind in kinds:
            yield fields.duplicate(f"{path}[{number}].type", kind)
        kinds.add(kind)
