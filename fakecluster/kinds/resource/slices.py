"""Resource slices: which devices a node, or a section of the cluster, has (FK-504, FK-236)."""

from __future__ import annotations

from functools import partial

from ...base.json_types import Json
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from ..core.pod.validation.placement import node_selector
from ..validation import basics
from ..validation.basics import Errors
from . import devices, qualified_names
from .bounded_collections import judge_set
from .requests import by_name

MOST_DEVICES, MOST_DEVICES_OF_MANY_FEATURES = 128, 64
MOST_COUNTER_SETS = 8
NODE_FIELDS = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
ONE_PLACE = f"exactly one of {', '.join(f'`{name}`' for name in NODE_FIELDS)} is required"
ONE_TERM = "must have exactly one node selector term"
GATED_VALUES = frozenset({"ints", "bools", "strings", "versions"})
GATED_DEVICE = "nodeAllocatableResourceMappings"


def without_gated(obj: Json) -> Json:
    """Return a ResourceSlice without what only feature gates that are off by default let in."""
    spec = obj["spec"]
    if not spec.get("devices"):
        return obj
    return {**obj, "spec": {**spec, "devices": [_without_gated(device) for device in spec["devices"]]}}


def update_without_gated(new: Json, old: Json) -> Json:
    """Return the same of an update."""
    del old
    return without_gated(new)


def resource_slice(obj: Json) -> list[FieldError]:
    """Judge a new ResourceSlice."""
    return list(_spec(obj["spec"], None))


def slice_update(new: Json, old: Json) -> list[FieldError]:
    """Judge an update of a ResourceSlice, which keeps its driver, its pool and its node."""
    return list(_spec(new["spec"], old["spec"]))


def _without_gated(device: Json) -> Json:
    if GATED_DEVICE in device:
        device = {name: value for name, value in device.items() if name != GATED_DEVICE}
    attributes = device.get("attributes") or {}
    if not any(GATED_VALUES & value.keys() for value in attributes.values()):
        return device
    served = {
        key: {name: inner for name, inner in value.items() if name not in GATED_VALUES}
        for key, value in attributes.items()
    }
    return {**device, "attributes": served}


def _spec(spec: Json, old: Json) -> Errors:
    yield from qualified_names.driver(spec.get("driver", ""), "spec.driver")
    yield from _pool(spec.get("pool") or {})
    yield from _same_place(spec, old) if old is not None else ()
    yield from _place(spec)
    if spec.get("sharedCounters") is not None and spec.get("devices") is not None:
        yield fields.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    yield from _devices(spec, old)
    counters, path = spec.get("sharedCounters"), "spec.sharedCounters"
    yield from judge_set(counters, MOST_COUNTER_SETS, path, devices.counter_set, by_name)


def _pool(pool: Json) -> Errors:
    yield from qualified_names.pool(pool.get("name", ""), "spec.pool.name")
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    yield from basics.positive(count, "spec.pool.resourceSliceCount", "must be greater than zero")
    if generation < 0:
        yield fields.invalid("spec.pool.generation", generation, "must be greater than or equal to zero")


def _same_place(new: Json, old: Json) -> Errors:
    pool, old_pool = ((spec.get("pool") or {}).get("name", "") for spec in (new, old))
    yield from basics.immutable(pool, old_pool, "spec.pool.name")
    yield from basics.immutable(new.get("driver", ""), old.get("driver", ""), "spec.driver")
    yield from basics.immutable(new.get("nodeName"), old.get("nodeName"), "spec.nodeName")


def _place(spec: Json) -> Errors:
    name, selector = spec.get("nodeName"), spec.get("nodeSelector")
    if name == "":
        yield fields.invalid("spec.nodeName", name, "must be either unset or set to a non-empty string")
    yield from basics.optional_name(name, "spec.nodeName", basics.dns_subdomain)
    if selector is not None:
        yield from node_selector(selector, "spec.nodeSelector")
        if len(selector.get("nodeSelectorTerms") or ()) != 1:
            terms = to_go_struct("core.v1.NodeSelector", selector)["NodeSelectorTerms"]
            yield fields.invalid("spec.nodeSelector.nodeSelectorTerms", terms, ONE_TERM)
    yield from devices.not_false(spec, ("allNodes", "perDeviceNodeSelection"), "spec")
    places = devices.node_members(spec, NODE_FIELDS)
    if not places:
        yield fields.required("spec", ONE_PLACE)
    elif len(places) > 1:
        why = f"{ONE_PLACE}, but multiple fields are set"
        yield fields.invalid("spec", "{" + ", ".join(places) + "}", why)


def _devices(spec: Json, old: Json) -> Errors:
    values = spec.get("devices") or []
    many_features = any(device.get("taints") or device.get("consumesCounters") for device in values)
    limit = MOST_DEVICES_OF_MANY_FEATURES if many_features else MOST_DEVICES
    before = {by_name(device): device for device in reversed((old or {}).get("devices") or ())}
    judge = partial(devices.device, before=before, alone=bool(spec.get("perDeviceNodeSelection")))
    yield from judge_set(values, limit, "spec.devices", judge, by_name)


def resource_slice_warnings(new: Json, old: Json) -> list[str]:
    """Return the warning of a driver in capital letters."""
    del old
    driver = new["spec"].get("driver", "")
    why = f"spec.driver: driver names should be lowercase; {go_quote(driver)} contains uppercase characters"
    return [why] if driver != driver.lower() else []
