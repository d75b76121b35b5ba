"""Which resources of a pod may change while it runs (FK-487)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from .....schema.fields import FieldError
from ....validation.basics import Errors
from .. import strategy
from . import pod

RESIZABLE_RESOURCES = frozenset({"cpu", "memory"})
CONTAINER_FIELDS = ("initContainers", "containers")
ONLY_COMPUTE = "only cpu and memory resources are mutable"
ONLY_COMPUTE_FIRST = "only cpu and memory resources for init or sidecar containers are mutable"
OTHER_CLASS = "Pod QOS Class may not change as a result of resizing"
RESTARTED_INIT_CONTAINER = (
    "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
)


def judge_update(after: Json, before: Json) -> list[FieldError]:
    """Judge a resize of a pod: the rules of every pod, then what it changes."""
    if (before["spec"].get("os") or {}).get("name") == "windows":
        return [fields.forbidden("", "windows pods cannot be resized")]
    new, old = after["spec"], before["spec"]
    errors = [*pod.judge(after), *_class(new, before)]
    if order := list(_order(new, old)):
        return [*errors, *order]
    return [*errors, *_resource_removal(new, old), *_others(new, old), *_initial(new, old)]


def _class(new: Json, before: Json) -> Errors:
    name = before["status"].get("qosClass", "")
    if strategy.qos_class(new) != name:
        yield fields.invalid("spec", name, OTHER_CLASS)


def _order(new: Json, old: Json) -> Errors:
    for member in ("containers", "initContainers"):
        after, before = ([container["name"] for container in spec.get(member) or ()] for spec in (new, old))
        if len(after) != len(before):
            yield fields.forbidden(f"spec.{member}", f"{member} may not be added or removed on resize")
            continue
        # Containers are matched by their position, so an exchange of two is a rename of both.
        for number, (name, other) in enumerate(zip(after, before, strict=True)):
            if name != other:
                why = f"{member} may not be renamed or reordered on resize"
                yield fields.forbidden(f"spec.{member}[{number}].name", why)


def _resource_removal(new: Json, old: Json) -> Errors:
    for member in CONTAINER_FIELDS:
        pairs = zip(new.get(member) or (), old.get(member) or (), strict=True)
        for number, pair in enumerate(pairs):
            for side in ("requests", "limits"):
                after, before = ((container.get("resources") or {}).get(side) or {} for container in pair)
                if not {*before} <= {*after}:
                    where = f"spec.{member}[{number}].resources.{side}"
                    yield fields.forbidden(where, f"resource {side} cannot be removed")


def _others(new: Json, old: Json) -> Errors:
    for container, other in zip(new.get("containers") or (), old.get("containers") or (), strict=True):
        if _immutable_members(container) != _immutable_members(other):
            yield fields.forbidden("spec", ONLY_COMPUTE)


def _initial(new: Json, old: Json) -> Errors:
    pairs = zip(new.get("initContainers") or (), old.get("initContainers") or (), strict=True)
    for number, (container, other) in enumerate(pairs):
        path = f"spec.initContainers[{number}]"
        if _immutable_members(container) != _immutable_members(other):
            yield fields.forbidden(path, ONLY_COMPUTE_FIRST)
        if container != other and not _runs_on(container):
            for policy in container.get("resizePolicy") or ():
                if policy.get("restartPolicy") == "RestartContainer":
                    yield fields.forbidden(path, RESTARTED_INIT_CONTAINER)


def _runs_on(container: Json) -> bool:
    """Whether a container that starts first keeps running."""
    return bool(container.get("restartPolicy") == "Always")


def _immutable_members(container: Json) -> Json:
    """Return what a resize may not touch of a container."""
    resources = container.get("resources") or {}
    sides = {
        side: {
            name: amount
            for name, amount in (resources.get(side) or {}).items()
            if name not in RESIZABLE_RESOURCES
        }
        for side in ("limits", "requests")
    }
    return {name: value for name, value in container.items() if name != "resources"} | sides
