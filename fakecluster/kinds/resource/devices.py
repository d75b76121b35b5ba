"""The devices of a ResourceSlice, and the counters that they share (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...meta.names import label_problems
from ...schema import fields
from ..core.pod.validation.placement import node_selector
from ..validation import basics
from ..validation.basics import Errors
from . import capacities, qualified_names, taints
from .binding_conditions import binding_conditions
from .bounded_collections import judge_list, judge_map, judge_set
from .requests import by_name

MOST_TAINTS = 16
MOST_ATTRIBUTES_AND_CAPACITIES = 32
MOST_ATTRIBUTES = 48
MOST_CONSUMPTIONS = 2
MOST_COUNTERS = 32
NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes")
NOT_ALONE = (
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the"
    " ResourceSlice spec"
)
ONE_PLACE = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to"
    " true in the ResourceSlice spec"
)
VALUE_LIMIT_BYTES = 64
SEMVER_NUMBER = r"(0|[1-9]\d*)"
SEMVER_PRERELEASE = r"(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
SEMVER_BUILD = r"[0-9a-zA-Z-]+"
SEMVER = re.compile(
    rf"{SEMVER_NUMBER}\.{SEMVER_NUMBER}\.{SEMVER_NUMBER}(-{SEMVER_PRERELEASE}(\.{SEMVER_PRERELEASE})*)?(\+{SEMVER_BUILD}(\.{SEMVER_BUILD})*)?",
    re.ASCII,
)
ATTRIBUTE_TYPES = ("bool", "int", "string", "version")
ONE_VALUE = "exactly one value must be specified"


def device(value: Json, path: str, before: Mapping[str, Json], alone: bool) -> Errors:
    """Judge a device.

    `before` has the devices of the stored slice by name, whose taints are not judged again; `alone` says that
    every device has its own place.
    """
    yield from qualified_names.label(by_name(value), f"{path}.name")
    yield from _sizes(value, path)
    limit = qualified_names.QUALIFIED_LIMIT_BYTES
    pairs = (("attributes", attribute), ("capacity", capacities.judge_of(value)))
    for name, judge in pairs:
        inner_path = f"{path}.{name}"
        yield from judge_map(value.get(name), inner_path, qualified_names.judge, judge, limit)
    old = before.get(by_name(value))
    if old is None or (old.get("taints") or []) != (value.get("taints") or []):
        yield from judge_list(value.get("taints"), MOST_TAINTS, f"{path}.taints", taints.taint)
    consumptions, inner_path = value.get("consumesCounters"), f"{path}.consumesCounters"
    yield from judge_set(consumptions, MOST_CONSUMPTIONS, inner_path, _consumption, _counter_set_name)
    yield from _own_place(value, path) if alone else _no_place(value, path)
    yield from binding_conditions(value, path)


def counter_set(value: Json, path: str) -> Errors:
    """Judge a set of counters."""
    yield from qualified_names.nonempty_label(by_name(value), f"{path}.name")
    yield from _counters(value.get("counters"), f"{path}.counters")


def node_members(value: Json, names: Sequence[str]) -> list[str]:
    """Return the members that say where devices are, as messages show them."""
    return [f"`{name}`" for name in names if value.get(name) not in (None, "", False)]


def not_false(value: Json, names: Sequence[str], path: str) -> Errors:
    """Judge flags that are true or missing."""
    for name in names:
        if value.get(name) is False:
            yield fields.invalid(f"{path}.{name}", False, "must be either unset or set to true")


def _sizes(value: Json, path: str) -> Errors:
    count = len(value.get("attributes") or ())
    both = count + len(value.get("capacity") or ())
    sizes = (
        (both, MOST_ATTRIBUTES_AND_CAPACITIES, "attributes and capacities"),
        (count, MOST_ATTRIBUTES, "attribute values"),
    )
    for size, limit, noun in sizes:
        if size > limit:
            yield fields.invalid(path, size, f"the total number of {noun} must not exceed {limit}")


def _consumption(value: Json, path: str) -> Errors:
    yield from qualified_names.nonempty_label(_counter_set_name(value), f"{path}.counterSet")
    yield from _counters(value.get("counters"), f"{path}.counters")


def _counter_set_name(value: Json) -> str:
    name: str = value.get("counterSet", "")
    return name


def _counters(values: Mapping[str, Json] | None, path: str) -> Errors:
    if not values:
        yield fields.required(path)
    elif len(values) > MOST_COUNTERS:
        yield fields.too_many(path, len(values), MOST_COUNTERS)
    else:
        for name in sorted(values):
            yield from (fields.invalid(path, name, problem) for problem in label_problems(name))


def _own_place(value: Json, path: str) -> Errors:
    name, selector = value.get("nodeName"), value.get("nodeSelector")
    if name == "":
        yield fields.invalid(f"{path}.nodeName", name, "must not be empty")
    yield from basics.optional_name(name, f"{path}.nodeName", basics.dns_subdomain)
    if selector is not None:
        yield from node_selector(selector, f"{path}.nodeSelector")
    yield from not_false(value, ("allNodes",), path)
    chosen = node_members(value, NODE_FIELDS)
    if not chosen:
        yield fields.required(path, ONE_PLACE)
    elif len(chosen) > 1:
        yield fields.invalid(path, "{" + ", ".join(chosen) + "}", ONE_PLACE)


def _no_place(value: Json, path: str) -> Errors:
    if any(value.get(name) is not None for name in NODE_FIELDS):
        yield fields.invalid(path, None, NOT_ALONE)


def attribute(value: Json, path: str) -> Errors:
    """Judge an attribute."""
    for name in ("string", "version"):
        if value.get(name) is not None:
            yield from _text(value[name], f"{path}.{name}", version=name == "version")
    members = [name for name in ATTRIBUTE_TYPES if value.get(name) is not None]
    if not members:
        yield fields.invalid(path, "", ONE_VALUE)
    elif len(members) > 1:
        yield fields.invalid(path, to_go_struct("resource.v1.DeviceAttribute", value), ONE_VALUE)


def _text(text: str, path: str, *, version: bool) -> Errors:
    if version and not SEMVER.fullmatch(text):
        yield fields.invalid(path, text, "must be a string compatible with semver.org spec 2.0.0")
    if len(text.encode()) > VALUE_LIMIT_BYTES:
        yield fields.too_long(path, VALUE_LIMIT_BYTES)
