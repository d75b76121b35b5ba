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


def full(found: list[Json], path: str) -> Errors:
    """Judge conditions of the common type: all members are wanted."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        here, kind = f"{path}[{number}]", one.get("type", "")
        if kind in seen:
            yield fields.duplicate(f"{here}.type", kind)
        seen.add(kind)
        yield from basics.label_key(kind, f"{here}.type")
        yield from _judged(one, here)


def _judged(one: Json, path: str) -> Errors:
    if one.get("status", "") not in STATUSES:
        yield fields.not_supported(f"{path}.status", one.get("status", ""), list(STATUSES))
    if (observed := one.get("observedGeneration", 0)) < 0:
        yield fields.invalid(f"{path}.observedGeneration", observed, "must be greater than or equal to zero")
    if not one.get("lastTransitionTime"):
        yield fields.required(f"{path}.lastTransitionTime")
    reason = one.get("reason", "")
    if not reason:
        yield fields.required(f"{path}.reason")
    elif not REASON.fullmatch(reason):
        yield fields.invalid(f"{path}.reason", reason, REASON_TEXT)
    if len(reason) > REASON_LIMIT:
        yield fields.too_long(f"{path}.reason", REASON_LIMIT)
    if len(one.get("message", "")) > MESSAGE_LIMIT:
        yield fields.too_long(f"{path}.message", MESSAGE_LIMIT)


def typed(found: list[Json], path: str) -> Errors:
    """Judge conditions of which only the type matters."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        kind = one.get("type", "")
        if not kind:
            yield fields.required(f"{path}[{number}].type")
        elif kind in seen:
            yield fields.duplicate(f"{path}[{number}].type", kind)
        seen.add(kind)
