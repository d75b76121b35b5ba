"""What the cluster adds to pods before their requests are counted; nothing of it is stored (Q-090…Q-092)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...api.resource import Json
from ...pods.amounts import amount

CONTAINER: Final = "Container"
POD: Final = "Pod"
BOTH_KINDS: Final = ("initContainers", "containers")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the LimitRanges of a namespace say together about one type (Q-091)."""

    default: Mapping[str, Json] = field(default_factory=dict)
    default_request: Mapping[str, Json] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, limit_ranges: Iterable[Json], kind: str) -> Limits:
        """Merge them: the tightest bound counts, of defaults the first."""
        lines = [line for limit_range in limit_ranges for line in _lines(limit_range) if line["type"] == kind]
        most: dict[str, int] = {}
        least: dict[str, int] = {}
        for name, value in _bounds(lines, "max"):
            most[name] = min(most.get(name, value), value)
        for name, value in _bounds(lines, "min"):
            least[name] = max(least.get(name, value), value)
        return cls(_first(lines, "default"), _first(lines, "defaultRequest"), most, least)


def _lines(limit_range: Json) -> Sequence[Json]:
    return (limit_range.get("spec") or {}).get("limits") or ()


def _bounds(lines: Iterable[Json], bound: str) -> Iterable[tuple[str, int]]:
    for line in lines:
        for name, quantity in (line.get(bound) or {}).items():
            yield name, amount(name, quantity)


def _first(lines: list[Json], member: str) -> Mapping[str, Json]:
    merged: dict[str, Json] = {}
    # Written from the last to the first, so that the first default wins.
    for line in reversed(lines):
        merged |= line.get(member) or {}
    return merged


def adjust(workload: Json, limit_ranges: Iterable[Json], runtime_classes: Mapping[str, Json]) -> Json:
    """Return a Workload as its requests are counted: the very same when there is nothing to add."""
    ranges = list(limit_ranges)
    if not ranges and not runtime_classes:
        return workload
    limits = Limits.of(ranges, CONTAINER)
    spec = workload.get("spec") or {}
    pod_sets = spec.get("podSets") or []
    new = []
    for pod_set in pod_sets:
        pod = _with_overhead(pod_set["template"]["spec"], runtime_classes)
        pod = _with_defaults(pod, limits)
        new.append({**pod_set, "template": {**pod_set["template"], "spec": pod}})
    return workload if new == pod_sets else {**workload, "spec": {**spec, "podSets": new}}


def _with_overhead(pod: Json, runtime_classes: Mapping[str, Json]) -> Json:
    """A class that does not exist has no overhead."""
    runtime_class = runtime_classes.get(pod.get("runtimeClassName") or "")
    overhead = ((runtime_class or {}).get("overhead") or {}).get("podFixed")
    # The API server adds the overhead when a pod is created; until then the podSet may
    # lack it.
    return {**pod, "overhead": overhead} if overhead and not pod.get("overhead") else pod


def _with_defaults(pod: Json, limits: Limits) -> Json:
    """Fill in the resources of containers; of whole pods the API server allows no defaults."""
    return pod | {
        kind: [_fill(container, limits) for container in pod[kind]] for kind in BOTH_KINDS if pod.get(kind)
    }


def _fill(container: Json, limits: Limits) -> Json:
    """Return a container with the resources that it does not name itself."""
    resources = container.get("resources") or {}
    added = {
        # Values of the container win over defaults.
        "limits": {**limits.default, **(resources.get("limits") or {})},
        "requests": {**limits.default_request, **(resources.get("requests") or {})},
    }
    filled = {**resources, **{name: value for name, value in added.items() if value}}
    return {**container, "resources": filled} if filled != resources else container
