"""What differs from run to run becomes a placeholder:
uids, times, revisions, suffixes, tokens, the namespace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..base.json_types import Json

Known = Mapping[str, str]
"""Texts of this run and what stands for them."""
TEXTS = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "${uid}"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "${time}"),
    (re.compile(r"(?<=current: )\d+|(?<=in record \()\d+(?=\))"), "${rv}"),
    (re.compile(r"(?<=too old resource version: )\d+ \(\d+\)"), "${rv} (${rv})"),
    (re.compile(r"\b[0-9A-F]{128}\b"), "${hash}"),
    (re.compile(r"\bkube-api-access-[a-z0-9]{5}\b"), "kube-api-access-${suffix}"),
    (re.compile(r'(resourceVersion\\?"?: ?\\?")\d+'), r"\1${rv}"),
)
LONG = re.compile(r"([0-9A-Za-z])\1{999,}")
"""The same character very many times, which a request writes as `${9*4400}` as well."""
FIELDS = {"resourceVersion": "${rv}", "continue": "${continue}", "token": "${token}"}
MESSAGE = "protobuf"
SECONDS = range(1_600_000_000, 4_000_000_000)
"""Numbers of a message that are the time of this run."""
NUMBER = re.compile(r"^\d{3,}$")
AGE = re.compile(r"^\d+s$")
KEPT = ("content-type", "warning", "retry-after")


def headers(found: Mapping[str, Json], kept: tuple[str, ...], known: Known) -> dict[str, Json]:
    """Return the compared headers, those of the topic included."""
    chosen = {name: found[name] for name in (*KEPT, *kept) if name in found}
    return {name: _text(value, known) for name, value in chosen.items()}


def body(value: Json, known: Known, *, managed_fields: bool) -> Json:
    """Return a body with placeholders."""
    if isinstance(value, dict):
        return _object(value, known, managed_fields=managed_fields)
    if isinstance(value, list):
        return [body(one, known, managed_fields=managed_fields) for one in value]
    return _text(value, known) if isinstance(value, str) else value


def _object(value: Mapping[str, Json], known: Known, *, managed_fields: bool) -> Json:
    kept = {key: one for key, one in value.items() if managed_fields or key != "managedFields"}
    found = {key: _field(key, body(one, known, managed_fields=managed_fields)) for key, one in kept.items()}
    base, name = found.get("generateName"), found.get("name")
    if (
        isinstance(base, str)
        and isinstance(name, str)
        and re.fullmatch(r"[a-z0-9]{5}", name.removeprefix(base))
    ):
        found["name"] = f"{base}${{suffix}}"
    return {_text(key, known): one for key, one in sorted(found.items())}


def _field(key: str, value: Json) -> Json:
    if key == MESSAGE:
        return _fields(value)
    if key == "cells" and isinstance(value, list):
        return ["${age}" if isinstance(one, str) and AGE.match(one) else one for one in value]
    if key == "managedFields" and isinstance(value, list):
        return sorted(value, key=_owner)
    if key == "causes" and isinstance(value, list):
        return sorted(value, key=_conflicting_with)
    return FIELDS.get(key, value) if isinstance(value, str) and value not in {"", "0"} else value


def _fields(value: Json) -> Json:
    """Return the fields of a message, whose revisions and times have no names."""
    if isinstance(value, list):
        return [_fields(one) for one in value]
    if isinstance(value, int):
        return "${time}" if value in SECONDS else value
    return "${rv}" if isinstance(value, str) and NUMBER.match(value) else value


def _owner(entry: Json) -> tuple[str, ...]:
    """The server orders entries by second first, which no two runs share."""
    return tuple(str(entry.get(key, "")) for key in ("operation", "manager", "apiVersion", "subresource"))


def _conflicting_with(cause: Json) -> str:
    """The server goes through conflicts by manager in the order of a Go map, which no two runs share; all
    other causes stay as they are.
    """
    conflict = isinstance(cause, dict) and cause.get("reason") == "FieldManagerConflict"
    return str(cause.get("message")) if conflict else ""


def _text(value: str, known: Known) -> str:
    for pattern, placeholder in TEXTS:
        value = pattern.sub(placeholder, value)
    for text, placeholder in known.items():
        value = value.replace(text, placeholder)
    return LONG.sub(lambda found: f"${{{found[1]}*{len(found[0])}}}", value)
