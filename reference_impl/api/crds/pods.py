"""PodTemplateSpec's schema, inlined from facts about its types (design.md §3).

`pod_template.json.gz` is written by `tools.datagen.types --pod-template`; it holds names, types, list
keys and formats only. What Kueue's schema leaves out of metadata is left out here, and defaults of optional
fields are added.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson

from ..resource import Json
from .vocabulary import ATOMIC_MAP, INT_OR_STRING, QUANTITY

DATA = Path(__file__).with_name("pod_template.json.gz")
ROOT = "core.v1.PodTemplateSpec"
KEPT = frozenset(
    {
        "type",
        "format",
        "enum",
        "required",
        "x-kubernetes-list-type",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields",
    }
)
STRINGS: Json = {"type": "object", "additionalProperties": {"type": "string"}}
EMBEDDED_METADATA: Json = {
    "type": "object",
    "properties": {
        "annotations": STRINGS,
        "finalizers": {"type": "array", "items": {"type": "string"}},
        "labels": STRINGS,
        "name": {"type": "string"},
        "namespace": {"type": "string"},
    },
}
REPLACED: Mapping[str, Json] = {
    "resource.Quantity": QUANTITY,
    "intstr.IntOrString": INT_OR_STRING,
    "meta.v1.ObjectMeta": EMBEDDED_METADATA,
}
DEFAULTS: Mapping[tuple[str, str], Json] = {
    ("core.v1.ContainerPort", "protocol"): "TCP",
    ("core.v1.GRPCAction", "service"): "",
    ("core.v1.LocalObjectReference", "name"): "",
    ("core.v1.ConfigMapKeySelector", "name"): "",
    ("core.v1.ConfigMapEnvSource", "name"): "",
    ("core.v1.ConfigMapProjection", "name"): "",
    ("core.v1.ConfigMapVolumeSource", "name"): "",
    ("core.v1.SecretKeySelector", "name"): "",
    ("core.v1.SecretEnvSource", "name"): "",
    ("core.v1.SecretProjection", "name"): "",
    ("core.v1.AzureDiskVolumeSource", "fsType"): "ext4",
    ("core.v1.AzureDiskVolumeSource", "readOnly"): False,
    ("core.v1.FileKeySelector", "optional"): False,
    ("core.v1.ISCSIVolumeSource", "iscsiInterface"): "default",
    ("core.v1.RBDVolumeSource", "keyring"): "/etc/ceph/keyring",
    ("core.v1.RBDVolumeSource", "pool"): "rbd",
    ("core.v1.RBDVolumeSource", "user"): "admin",
    ("core.v1.ScaleIOVolumeSource", "fsType"): "xfs",
    ("core.v1.ScaleIOVolumeSource", "storageMode"): "ThinProvisioned",
}
ATOMIC_STRUCTS = frozenset(
    {
        "core.v1.ConfigMapEnvSource",
        "core.v1.ConfigMapProjection",
        "core.v1.ConfigMapVolumeSource",
        "core.v1.SecretEnvSource",
        "core.v1.SecretProjection",
    }
)
"""Structs with a LocalObjectReference, which are atomic since that is."""
EMPTY_BUT_WRITTEN = frozenset(
    {
        ("core.v1.PodTemplateSpec", "metadata"),
        ("core.v1.PodTemplateSpec", "spec"),
        ("core.v1.Container", "resources"),
        ("core.v1.EphemeralContainer", "resources"),
        ("core.v1.PersistentVolumeClaimTemplate", "metadata"),
        ("core.v1.PersistentVolumeClaimTemplate", "spec"),
        ("core.v1.PersistentVolumeClaimSpec", "resources"),
    }
)
"""Structs that are no pointers: a Go program writes them even when nothing is set."""


@cache
def raw_schemas() -> Mapping[str, Json]:
    """Return the facts about the types by name, with references."""
    schemas: Mapping[str, Json] = orjson.loads(gzip.decompress(DATA.read_bytes()))["schemas"]
    return schemas


@cache
def pod_template() -> Json:
    """Return the schema with every reference written out."""
    return _inline({"$ref": ROOT}, raw_schemas(), "")


def _inline(schema: Json, schemas: Json, owner: str) -> Json:
    if (name := schema.get("$ref")) is not None:
        return REPLACED[name] if name in REPLACED else _inline(schemas[name], schemas, name)
    allowed = {keyword: value for keyword, value in schema.items() if keyword in KEPT}
    if required := allowed.get("required"):
        allowed["required"] = sorted(required)
    if owner in ATOMIC_STRUCTS:
        allowed.update(ATOMIC_MAP.keywords)
    if items := schema.get("items"):
        allowed["items"] = _inline(items, schemas, "")
    if (additional := schema.get("additionalProperties")) is not None:
        allowed["additionalProperties"] = _inline(additional, schemas, "")
    if properties := schema.get("properties"):
        allowed["properties"] = {
            name: {**_inline(inner, schemas, ""), **_default(owner, name)}
            for name, inner in properties.items()
        }
    return allowed


def _default(owner: str, name: str) -> Json:
    return {"default": DEFAULTS[owner, name]} if (owner, name) in DEFAULTS else {}


POD_TEMPLATE: Json = pod_template()
