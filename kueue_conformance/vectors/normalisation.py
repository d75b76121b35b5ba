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


def headers(
    all_headers: Mapping[str, Json], topic_headers: tuple[str, ...], placeholders: Known
) -> dict[str, Json]:
    """Return the compared headers, those of the topic included."""
    chosen = {name: all_headers[name] for name in (*KEPT, *topic_headers) if name in all_headers}
    return {name: _text(value, placeholders) for name, value in chosen.items()}


def body(value: Json, placeholders: Known, *, managed_fields: bool) -> Json:
    """Return a body with placeholders."""
    if isinstance(value, dict):
        return _object(value, placeholders, managed_fields=managed_fields)
    if isinstance(value, list):
        return [body(item, placeholders, managed_fields=managed_fields) for item in value]
    return _text(value, placeholders) if isinstance(value, str) else value


def _object(value: Mapping[str, Json], placeholders: Known, *, managed_fields: bool) -> Json:
    compared_members = {
        key: member for key, member in value.items() if managed_fields or key != "managedFields"
    }
    members = {
        key: _field(key, body(member, placeholders, managed_fields=managed_fields))
        for key, member in compared_members.items()
    }
    base, name = members.get("generateName"), members.get("name")
    if (
        isinstance(base, str)
        and isinstance(name, str)
        and re.fullmatch(r"[a-z0-9]{5}", name.removeprefix(base))
    ):
        members["name"] = f"{base}${{suffix}}"
    return {_text(key, placeholders): member for key, member in sorted(members.items())}


def _field(key: str, value: Json) -> Json:
    if key == MESSAGE:
        return _fields(value)
    if key == "cells" and isinstance(value, list):
        return ["${age}" if isinstance(cell, str) and AGE.match(cell) else cell for cell in value]
    if key == "managedFields" and isinstance(value, list):
        return sorted(value, key=_owner)
    if key == "causes" and isinstance(value, list):
        return sorted(value, key=_conflicting_with)
    return FIELDS.get(key, value) if isinstance(value, str) and value not in {"", "0"} else value


def _fields(value: Json) -> Json:
    """Return the fields of a message, whose revisions and times have no names."""
    if isinstance(value, list):
        return [_fields(item) for item in value]
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


def _text(value: str, placeholders: Known) -> str:
    for pattern, placeholder in TEXTS:
        value = pattern.sub(placeholder, value)
    for text, placeholder in placeholders.items():
        value = value.replace(text, placeholder)
    return LONG.sub(lambda match: f"${{{match[1]}*{len(match[0])}}}", value)
