"""Nodes: rules and columns (FK-484, FK-504)."""

from __future__ import annotations

from typing import Any

from ...api.kind import Column
from ...codec.cells import AGE, NONE, column, condition, joined, member
from ...gotypes.golang import shown
from ...meta import labels
from ...meta.addresses import is_network
from ...schema import fields
from ...schema.fields import FieldError, quoted
from ..validation import basics
from ..validation.basics import Errors, Json
from .pod.validation import placement, resources

NETWORK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
ONE_NETWORK = "may specify no more than one CIDR for each IP family"


def node(obj: Json) -> list[FieldError]:
    """Judge a Node; its taints are blamed as if they were metadata."""
    spec, status = obj.get("spec", {}), obj.get("status", {})
    return [
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *(error for name in ("capacity", "allocatable") for error in _amounts(status.get(name) or {}, f"status.{name}")),
        *_pod_networks(_networks(spec)),
    ]  # fmt: skip


def same_node(new: Json, old: Json) -> list[FieldError]:
    """Judge that a Node keeps its provider's id and its networks once it has them; its taints are judged once
    more.
    """
    spec, before = new.get("spec", {}), old.get("spec", {})
    kept = (("podCIDRs", "podCIDR", _networks(before), _networks(spec)),
            ("providerID", "providerID", before.get("providerID"), spec.get("providerID")))  # fmt: skip
    return [
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *(fields.forbidden(f"spec.{name}", f'node updates may not change {noun} except from "" to valid')
          for name, noun, one, other in kept if one and one != other),
    ]  # fmt: skip


def without_config_source(obj: Json) -> Json:
    """Return a Node without the dropped field that told a kubelet where its configuration is."""
    spec = obj.get("spec") or {}
    return (
        {**obj, "spec": {name: value for name, value in spec.items() if name != "configSource"}}
        if "configSource" in spec
        else obj
    )


def _amounts(value: Json, path: str) -> Errors:
    for name, amount in value.items():
        yield from resources.quantity(name, amount, f"{path}.{name}")


def _pod_networks(found: list[str]) -> Errors:
    bad = [
        fields.invalid(f"spec.podCIDRs[{n}]", one, NETWORK)
        for n, one in enumerate(found)
        if not is_network(one)
    ]
    yield from bad
    families = {":" in one for one in found}
    if not bad and len(found) > len(families):
        yield fields.invalid("spec.podCIDRs", found, ONE_NETWORK)


def _networks(spec: Json) -> list[str]:
    return spec.get("podCIDRs") or ([spec["podCIDR"]] if spec.get("podCIDR") else [])


def _taints(found: list[Json], path: str) -> Errors:
    seen: set[tuple[str, str]] = set()
    for number, one in enumerate(found):
        here = f"{path}[{number}]"
        yield from basics.label_key(one.get("key", ""), f"{here}.key")
        problems = labels.value_problems(one.get("value", ""))
        if problems:
            yield fields.invalid(f"{here}.value", one["value"], ";".join(problems))
        yield from basics.choice(one.get("effect"), f"{here}.effect", placement.EFFECTS)
        pair = (one.get("key", ""), one.get("effect", ""))
        if pair in seen:
            value = quoted(shown("core.v1.Taint", one))
            why = "taints must be unique by key and effect pair"
            yield FieldError("FieldValueDuplicate", here, f"Duplicate value: {value}: {why}")
        seen.add(pair)


ROLE_LABEL = "node-role.kubernetes.io/"


def _node_status(node: Json) -> str:
    ready = {"True": "Ready", "False": "NotReady"}.get(condition(node, "Ready").get("status", ""))
    words = [ready or ("NotReady" if condition(node, "Ready") else "Unknown")]
    if member("spec", "unschedulable")(node):
        words.append("SchedulingDisabled")
    return ",".join(words)


def _roles(node: Json) -> str:
    labels = node["metadata"].get("labels") or {}
    return joined(sorted(key.removeprefix(ROLE_LABEL) for key in labels if key.startswith(ROLE_LABEL)))


def _address(kind: str) -> Any:
    def cell(node: Json) -> str:
        found = member("status", "addresses", default=())(node)
        return next((one["address"] for one in found if one["type"] == kind), NONE)

    return cell


def _info(name: str, shown: str, *, wide: bool = True) -> Column:
    missing = "<unknown>" if wide else ""
    return column(shown, lambda node: member("status", "nodeInfo", name)(node) or missing, wide=wide)


NODE = (
    column("Status", _node_status),
    column("Roles", _roles),
    AGE,
    _info("kubeletVersion", "Version", wide=False),
    column("Internal-IP", _address("InternalIP"), wide=True),
    column("External-IP", _address("ExternalIP"), wide=True),
    _info("osImage", "OS-Image"),
    _info("kernelVersion", "Kernel-Version"),
    _info("containerRuntimeVersion", "Container-Runtime"),
)
