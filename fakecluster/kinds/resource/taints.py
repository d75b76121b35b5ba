"""Taints of devices, and the tolerations of those who request devices (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...meta import labels
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors

EFFECTS = ("NoExecute", "NoSchedule", "None")
OPERATORS = ("Equal", "Exists")


def taint(value: Json, path: str) -> Errors:
    """Judge a taint."""
    yield from basics.label_key(value.get("key", ""), f"{path}.key")
    yield from _label_value(value.get("value", ""), f"{path}.value")
    yield from basics.choice(value.get("effect"), f"{path}.effect", EFFECTS)


def toleration(value: Json, path: str) -> Errors:
    """Judge a toleration; one without a key tolerates all taints."""
    if value.get("key"):
        yield from basics.label_key(value["key"], f"{path}.key")
    operator, text = value.get("operator", ""), value.get("value", "")
    if operator == "Exists" and text:
        yield fields.invalid(f"{path}.value", text, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from _label_value(text, f"{path}.value")
    yield from basics.choice(operator, f"{path}.operator", OPERATORS)
    yield from basics.optional_choice(value.get("effect") or None, f"{path}.effect", EFFECTS)


def with_times(resource_slice: Json, time: str) -> Json:
    """Return a ResourceSlice whose taints without a time are there since `time`."""
    spec = resource_slice["spec"]
    devices = spec.get("devices") or []
    if not any(device.get("taints") for device in devices):
        return resource_slice
    return {**resource_slice, "spec": {**spec, "devices": [_with_times(device, time) for device in devices]}}


def _with_times(device: Json, time: str) -> Json:
    taints = device.get("taints")
    return {**device, "taints": [{"timeAdded": time, **value} for value in taints]} if taints else device


def _label_value(text: str, path: str) -> Errors:
    for problem in labels.value_problems(text):
        yield fields.invalid(path, text, problem)
