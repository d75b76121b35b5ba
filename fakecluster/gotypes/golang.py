"""Values inside messages the way Go prints the API server's own structs (FK-037): its field names and their
order, all fields, nil as null. Types that the API machinery defines keep their JSON names.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson

from ..base.json_types import Json
from . import types

EMPTY: Mapping[str, Json] = {
    "string": "",
    "types.UID": "",
    "bool": False,
    "int": 0,
    "int32": 0,
    "int64": 0,
    "float64": 0,
}
INLINED_STRUCTS = {
    "core.EphemeralContainerCommon": "core.v1.EphemeralContainer",
    "core.PersistentVolumeSource": "core.v1.PersistentVolumeSpec",
    "core.ProbeHandler": "core.v1.Probe",
    "core.VolumeSource": "core.v1.Volume",
    "networking.IngressRuleValue": "networking.v1.IngressRule",
    "resource.DeviceConfiguration": "resource.v1.DeviceClaimConfiguration",
}
"""Structs whose members clients know as those of the struct around."""
POD_WIDE = ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers")
"""Members of a pod's spec that the server keeps in its security context."""


def to_go_struct(message: str, value: Json) -> Json:
    """Return a value of a message such as `core.v1.PodSpec` as a Go struct prints it."""
    group, _, name = message.split(".")
    return _struct(f"{group}.{name}", value)


@cache
def _data() -> Mapping[str, Json]:
    packed = Path(__file__).with_name("internal.json.gz").read_bytes()
    content: Mapping[str, Json] = orjson.loads(gzip.decompress(packed))
    return content


def _struct(name: str, value: Json) -> Json:
    if value is None:
        return None
    # The internal type has these in its security context; what clients know is v1.
    if name == "core.PodSpec":
        value = _with_pod_wide(value)
    names = _json_names(name)
    out: dict[str, Json] = {}
    for member, go_type in _data()["structs"][name]:
        if member:
            # Fields of the internal type without a JSON name have the Go name with a small letter first.
            content = value.get(names.get(member) or member[:1].lower() + member[1:])
            out[member] = _value(go_type, content)
        elif go_type == "metav1.ObjectMeta":
            # Embedded metadata print their members in line, as Go's struct embeds them.
            out.update(value.get("metadata") or {})
        elif go_type != "metav1.TypeMeta":
            out.update(_struct(go_type, value))
    return out


def _with_pod_wide(spec: Json) -> Json:
    wide = {name: spec[name] for name in POD_WIDE if name in spec}
    return {**spec, "securityContext": {**(spec.get("securityContext") or {}), **wide}}


@cache
def _json_names(name: str) -> Mapping[str, str]:
    """Return the JSON names of a struct's fields by their Go names, as clients' types have them."""
    group, _, kind = name.partition(".")
    message = INLINED_STRUCTS.get(name) or f"{group}.v1.{kind}"
    if not types.has_fields(message):
        return {}
    return {go_name: json_name for json_name, (go_name, _, _) in types.go_fields(message).items()}


def _value(go_type: str, value: Json) -> Json:
    if go_type.startswith("*"):
        return None if value is None else _value(go_type[1:], value)
    if go_type.startswith("[]"):
        return [_value(go_type[2:], item) for item in value] if value else None
    if go_type.startswith("map["):
        element = go_type.partition("]")[2]
        # A nil map and an empty one print alike, as null.
        return {key: _value(element, value[key]) for key in sorted(value)} if value else None
    if go_type in EMPTY:
        return EMPTY[go_type] if value is None else value
    if go_type in _data()["named"]:
        return _value(_data()["named"][go_type], value)
    return _struct(go_type, value or {}) if go_type in _data()["structs"] else value
