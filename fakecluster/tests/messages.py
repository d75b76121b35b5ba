"""Generates objects of built-in kinds as Go would write them in JSON:
zero values only where they are always written.
"""

from __future__ import annotations

import base64
from random import Random

from fakecluster.base.json_types import Json
from fakecluster.codec.protobuf.table import INLINED_NAME, Field, fields_of

DEEPEST = 5
TEXTS = ("x", "y.z/w", "ü", "a" * 200)
SCHEMA = "apiextensions.v1.JSONSchemaProps"
ALWAYS = {"resource_q.Quantity", "intstr.IntOrString"}
SCALARS = {
    "s": lambda random: random.choice(TEXTS),
    "i": lambda random: random.choice((-1, 1, 127, 128, 2**31 - 1)),
    "l": lambda random: random.choice((-(2**63), 1, 2**63 - 1)),
    "b": lambda random: True,
    "y": lambda random: base64.b64encode(random.randbytes(3)).decode(),
    "d": lambda random: random.choice((0.5, -1e30)),
}
ZEROS = {"s": "", "i": 0, "l": 0, "b": False, "d": 0.0}
SPECIAL = {
    "apiextensions.v1.JSON": lambda random: random.choice((1, "a", [1, {"b": True}])),
    "authentication.v1.ExtraValue": lambda random: [random.choice(TEXTS)],
    "authorization.v1.ExtraValue": lambda random: [random.choice(TEXTS)],
    "intstr.IntOrString": lambda random: random.choice((0, 7, -7, "25%", "")),
    "meta.v1.FieldsV1": lambda random: {"f:spec": {"f:a": {}}, "n": random.randint(0, 9)},
    "meta.v1.MicroTime": lambda random: f"2026-01-02T03:04:05.{random.randint(0, 999999):06d}Z",
    "meta.v1.Time": lambda random: f"19{random.randint(60, 99)}-01-02T03:04:05Z",
    "meta.v1.Verbs": lambda random: ["get", random.choice(TEXTS)],
    "resource_q.Quantity": lambda random: random.choice(("0", "100m", "5Gi")),
    "runtime.RawExtension": lambda random: {"kind": "X", "n": random.randint(0, 9)},
}


def make(message: str, random: Random, depth: int = 0) -> Json:
    """Return a value of a message."""
    if message in SPECIAL:
        return SPECIAL[message](random)
    if message.startswith(SCHEMA) and message != SCHEMA:
        return random.choice((True, False)) if message.endswith("Bool") else make(SCHEMA, random, DEEPEST)
    members: dict[str, Json] = {}
    for field in fields_of(message).values():
        if field.name == INLINED_NAME:
            members |= make(field.type, random, depth)
        elif _there(field, random, depth):
            members[field.name] = _member(field, random, depth)
    return members


def _there(field: Field, random: Random, depth: int) -> bool:
    if not (field.pointer or field.repeated or field.mapping) and _write(field):
        return True
    return depth < DEEPEST and random.random() < 0.5


def _write(field: Field) -> bool:
    if field.type in ZEROS:
        return field.writes_zero
    return field.type != "y" and (field.type not in SPECIAL or field.type in ALWAYS)


def _member(field: Field, random: Random, depth: int) -> Json:
    if field.repeated:
        return [_value(field, random, depth) for _ in range(random.randint(1, 2))]
    if field.mapping:
        return {key: _value(field, random, depth) for key in random.sample(("b", "a", "c"), 2)}
    zero = field.writes_zero and field.type in ZEROS and random.random() < 0.3
    return ZEROS[field.type] if zero else _value(field, random, depth)


def _value(field: Field, random: Random, depth: int) -> Json:
    scalar = SCALARS.get(field.type)
    return scalar(random) if scalar else make(field.type, random, depth + 1)
