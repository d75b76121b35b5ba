"""Nodes: rules, annotations that stand for fields, and columns (FK-484, FK-498, FK-504)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson

from ...api.kind import Column
from ...base.json_types import Json
from ...codec.cells import AGE, NONE, column, condition, join_values, member
from ...codec.json import gojson
from ...gotypes.golang import to_go_struct
from ...gotypes.scalars import json_type
from ...meta import labels
from ...meta.addresses import is_network
from ...schema import fields
from ...schema.fields import FieldError, quote
from ..validation import addresses, basics
from ..validation.basics import Errors
from ..validation.duplicates import positions_of_repeats
from .pod.validation import placement, resources

FEATURE_NAME = re.compile(r"[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*")
FEATURE_TEXT = (
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/'"
    " (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
)
FEATURE_LIMIT = 253
IMMUTABLE_ONCE_SET = 'node updates may not change {} except from "" to valid'
NO_DUAL_STACK = "invalid PodCIDRs. failed to check with dual stack with error:"
ONE_NETWORK = "may specify no more than one CIDR for each IP family"
ROLE_LABEL = "node-role.kubernetes.io/"
ANNOTATIONS_PATH = "metadata.annotations"
TAINTS_ANNOTATION = "scheduler.alpha.kubernetes.io/taints"
AVOIDED_PODS_ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods"


def node(obj: Json) -> list[FieldError]:
    """Judge a Node; its taints are blamed as if they were metadata."""
    spec, status = obj.get("spec", {}), obj.get("status", {})
    return [
        *node_annotation_errors(obj["metadata"].get("annotations") or {}, _taints),
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *_resources(status),
        *_swap((status.get("nodeInfo") or {}).get("swap") or {}),
        *_feature_names(status.get("declaredFeatures") or [], "status.declaredFeatures"),
        *_pod_networks(spec.get("podCIDRs") or []),
    ]


def judge_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a Node: metadata and spec, then its status as well."""
    # Rules of the object, and then those of its status: messages have some errors twice.
    return [*node(after), *status(after, before)]


def status(after: Json, before: Json) -> list[FieldError]:
    """Judge what a Node keeps once it has it: its networks and its provider's id."""
    spec, old, status = after.get("spec", {}), before.get("spec", {}), after.get("status", {})
    return [
        *node_annotation_errors(after["metadata"].get("annotations") or {}, _taints),
        *_resources(status),
        *_feature_names(status.get("declaredFeatures") or [], "status.declaredFeatures"),
        *_addresses(status.get("addresses") or []),
        *_same_networks(spec.get("podCIDRs") or [], old.get("podCIDRs") or []),
        *_same_provider(spec.get("providerID", ""), old.get("providerID", "")),
        *_taints(spec.get("taints") or [], "metadata.taints"),
        *_same_external_id(spec, old),
    ]


def _same_networks(new: list[str], old: list[str]) -> Errors:
    # One error for each network that differs; another number of networks is one error.
    changes = sum(after != before for after, before in zip(new, old, strict=False))
    if old and len(new) != len(old):
        changes = 1
    for _ in range(changes):
        yield fields.forbidden("spec.podCIDRs", IMMUTABLE_ONCE_SET.format("podCIDR"))


def _same_provider(new: str, old: str) -> Errors:
    if old and new != old:
        yield fields.forbidden("spec.providerID", IMMUTABLE_ONCE_SET.format("providerID"))


def _same_external_id(new: Json, old: Json) -> Errors:
    if new.get("externalID", "") != old.get("externalID", ""):
        yield fields.forbidden("spec.externalID", "may not be updated")


def _addresses(addresses: list[Json]) -> Errors:
    for number in sorted(positions_of_repeats(addresses)):
        yield fields.duplicate(
            f"status.addresses[{number}]", to_go_struct("core.v1.NodeAddress", addresses[number])
        )


def _feature_names(names: list[str], path: str) -> Errors:
    for number, name in enumerate(names):
        if problem := _feature_problem(name):
            yield fields.invalid(f"{path}[{number}]", name, problem)
        # Only neighbours are compared: a sorted list has its repeats side by side.
        for following in names[number + 1 : number + 2]:
            if name == following:
                yield fields.duplicate(f"{path}[{number + 1}]", following)
            elif name > following:
                why = "list must be sorted alphabetically"
                yield fields.invalid(f"{path}[{number + 1}]", following, why)


def _feature_problem(name: str) -> str:
    if len(name.encode()) > FEATURE_LIMIT:
        return (
            f"invalid feature name {fields.go_quote(name)}: must be no more than {FEATURE_LIMIT} characters"
        )
    if FEATURE_NAME.fullmatch(name):
        return ""
    return f"invalid feature name {fields.go_quote(name)}: {FEATURE_TEXT}"


def without_config_source(obj: Json) -> Json:
    """Return a Node without the removed configSource fields of its kubelet."""
    return _without(_without(obj, "spec", "configSource"), "status", "config")


def keep_config_source(new: Json, old: Json) -> Json:
    """Return an update of a Node, without that field if the Node has none."""
    return new if "configSource" in (old.get("spec") or {}) else _without(new, "spec", "configSource")


def keep_status_config(new: Json, old: Json) -> Json:
    """Return an update of a Node's status, without the configuration if the Node has none."""
    return new if "config" in (old.get("status") or {}) else _without(new, "status", "config")


def _without(obj: Json, section: str, field: str) -> Json:
    members = obj.get(section) or {}
    if field not in members:
        return obj
    return {**obj, section: {name: value for name, value in members.items() if name != field}}


def _resources(amounts: Json) -> Errors:
    for name in ("capacity", "allocatable"):
        for resource, amount in (amounts.get(name) or {}).items():
            yield from resources.quantity(resource, amount, f"status.{name}.{resource}")


def _swap(swap: Json) -> Errors:
    """Judge the space for swapping, which is blamed as if it were metadata."""
    if (capacity := swap.get("capacity")) is not None and capacity <= 0:
        yield fields.invalid("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")


def _pod_networks(cidrs: list[str]) -> Errors:
    path = "spec.podCIDRs"
    bad = [number for number, cidr in enumerate(cidrs) if not is_network(cidr)]
    for number, text in enumerate(cidrs):
        yield from addresses.network(text, f"{path}[{number}]")
    # One network needs no check for both families.
    if len(cidrs) < 2:
        return
    if bad:
        first = f"invalid CIDR[{bad[0]}]: <nil> (invalid CIDR address: {cidrs[bad[0]]})"
        yield fields.internal_error(path, NO_DUAL_STACK + first)
    if bad or len(cidrs) > 2 or len({":" in cidr for cidr in cidrs}) == 1:
        yield fields.invalid(path, cidrs, ONE_NETWORK)


def _taints(taints: list[Json], path: str) -> Errors:
    keys: set[tuple[str, str]] = set()
    for number, taint in enumerate(taints):
        item_path = f"{path}[{number}]"
        yield from basics.label_key(taint.get("key", ""), f"{item_path}.key")
        # All problems of a value in one error.
        problems = labels.value_problems(taint.get("value", ""))
        if problems:
            yield fields.invalid(f"{item_path}.value", taint["value"], ";".join(problems))
        yield from basics.choice(taint.get("effect"), f"{item_path}.effect", placement.EFFECTS)
        pair = (taint.get("key", ""), taint.get("effect", ""))
        if pair in keys:
            value = quote(to_go_struct("core.v1.Taint", taint))
            why = "taints must be unique by key and effect pair"
            yield FieldError("FieldValueDuplicate", item_path, f"Duplicate value: {value}: {why}")
        keys.add(pair)


def _node_status(node: Json) -> str:
    ready = {"True": "Ready", "False": "NotReady"}.get(condition(node, "Ready").get("status", ""))
    # A node without the condition is unknown, one whose condition is Unknown is not ready.
    words = [ready or ("NotReady" if condition(node, "Ready") else "Unknown")]
    if member("spec", "unschedulable")(node):
        words.append("SchedulingDisabled")
    return ",".join(words)


def _roles(node: Json) -> str:
    labels = node["metadata"].get("labels") or {}
    return join_values(sorted(key.removeprefix(ROLE_LABEL) for key in labels if key.startswith(ROLE_LABEL)))


def _address(kind: str) -> Any:
    def cell(node: Json) -> str:
        addresses = member("status", "addresses", default=())(node)
        return next((address["address"] for address in addresses if address["type"] == kind), NONE)

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


def node_annotation_errors(
    annotations: dict[str, str], taint_errors: Callable[[list[Json], str], Errors]
) -> Errors:
    """Judge the annotations of a Node; `taint_errors` judges a list of taints at its path."""
    if text := annotations.get(TAINTS_ANNOTATION):
        if problem := _problem(text, list, "[]core.Taint"):
            yield fields.invalid(ANNOTATIONS_PATH, TAINTS_ANNOTATION, problem)
        else:
            yield from taint_errors(orjson.loads(text) or [], f"{ANNOTATIONS_PATH}.{TAINTS_ANNOTATION}")
    if text := annotations.get(AVOIDED_PODS_ANNOTATION):
        if problem := _problem(text, dict, "v1.AvoidPods"):
            yield fields.invalid(f"{ANNOTATIONS_PATH}.AvoidPods", AVOIDED_PODS_ANNOTATION, problem)
        else:
            yield from _pods_to_avoid((orjson.loads(text) or {}).get("preferAvoidPods") or [])


def _problem(text: str, expected: type, go_type: str) -> str:
    """Return why a text cannot be read; empty when it can."""
    if problem := gojson.problem(text.encode()):
        return problem
    value = orjson.loads(text)
    if value is None or isinstance(value, expected):
        return ""
    return f"json: cannot unmarshal {json_type(value)} into Go value of type {go_type}"


def _pods_to_avoid(entries: list[Json]) -> Errors:
    for number, entry in enumerate(entries):
        path = f"{ANNOTATIONS_PATH}.{AVOIDED_PODS_ANNOTATION}[{number}].PodSignature"
        controller = (entry.get("podSignature") or {}).get("podController")
        if controller is None:
            yield fields.required(path)
        elif not controller.get("controller"):
            yield fields.invalid(f"{path}.PodController.Controller", False, "must point to a controller")
