"""Defaults of the core group beside those of pods and Services (FK-340, FK-495, FK-498)."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from ...base.json_types import Json
from ..default_rules import Defaulter, both, constants, with_template_labels


def namespace(value: Json) -> Json:
    """Every namespace carries its name as a label (FK-340)."""
    metadata = value["metadata"]
    if not metadata.get("name"):
        return value
    labels = {**metadata.get("labels", {}), "kubernetes.io/metadata.name": metadata["name"]}
    return {**value, "metadata": {**metadata, "labels": labels}}


def node_spec(spec: Json) -> Json:
    """A node's first network has a field of its own."""
    # The older field is the first of the list in the internal type.
    first, rest = spec.get("podCIDR"), (spec.get("podCIDRs") or [])[1:]
    networks = [first, *rest] if first else spec.get("podCIDRs")
    return {**spec, "podCIDR": networks[0], "podCIDRs": networks} if networks else spec


def node_status(status: Json) -> Json:
    """What a node can give is what it has."""
    # An empty allocatable is a word of the kubelet and stays.
    if "allocatable" in status or "capacity" not in status:
        return status
    return {**status, "allocatable": status["capacity"]}


def limit_range_item(item: Json) -> Json:
    """Container defaults follow maximum and minimum."""
    if item.get("type") != "Container":
        return item
    # Limits follow the maximum, requests follow limits and then the minimum.
    default = {**item.get("max", {}), **item.get("default", {})}
    request = {**item.get("min", {}), **default, **item.get("defaultRequest", {})}
    filled = {"default": default, "defaultRequest": request}
    return {**item, **{name: amounts for name, amounts in filled.items() if amounts}}


def replication_controller(value: Json) -> Json:
    """Its selector, too, follows the labels of the template."""
    labels = (value["spec"].get("template") or {}).get("metadata", {}).get("labels")
    if labels and not value["spec"].get("selector"):
        value = {**value, "spec": {**value["spec"], "selector": labels}}
    return with_template_labels(value)


def secret(value: Json) -> Json:
    """Plain text given as `stringData` becomes `data` and is never shown again (FK-498)."""
    plain = value.get("stringData")
    if plain is None:
        return value
    # Values of stringData win over those of data with the same key.
    encoded = {name: base64.b64encode(text.encode()).decode() for name, text in plain.items()}
    without_string_data = {name: member for name, member in value.items() if name != "stringData"}
    return {**without_string_data, "data": {**value.get("data", {}), **encoded}}


def persistent_volume(value: Json) -> Json:
    """A volume is kept and is a filesystem;
    an attachment's own description of a volume says no such thing.
    """
    rule = constants(persistentVolumeReclaimPolicy="Retain", volumeMode="Filesystem")
    return {**value, "spec": rule(value["spec"])}


AZURE = constants(cachingMode="ReadWrite", readOnly=False, kind="Shared")
DEFAULTS: Mapping[str, Defaulter] = {
    "core.v1.AzureDiskVolumeSource": AZURE,
    "core.v1.EndpointPort": constants(protocol="TCP"),
    "core.v1.LimitRangeItem": limit_range_item,
    "core.v1.Namespace": namespace,
    "core.v1.NamespaceStatus": constants(phase="Active"),
    "core.v1.NodeSpec": node_spec,
    "core.v1.NodeStatus": node_status,
    "core.v1.PersistentVolumeClaimSpec": constants(volumeMode="Filesystem"),
    "core.v1.PersistentVolumeClaimStatus": constants(phase="Pending"),
    "core.v1.PersistentVolume": persistent_volume,
    "core.v1.PersistentVolumeStatus": constants(phase="Pending"),
    "core.v1.ReplicationController": replication_controller,
    "core.v1.Secret": both(secret, constants(type="Opaque")),
}
