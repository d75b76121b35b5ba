"""What the cluster adds to pods before their requests are counted; nothing of it is stored (Q-090…Q-092)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...api.resource import Json
from ...pods.amounts import amount
from ...pods.requests import container_requests

CONTAINER: Final = "Container"
POD: Final = "Pod"
BOUNDS: Final = ("type", "max", "min", "maxLimitRequestRatio")
BOTH_KINDS: Final = ("initContainers", "containers")


@dataclass(frozen=True, slots=True)
class LimitRangeSummary:
    """What the LimitRanges of a namespace say together about one type (Q-091)."""

    default: Mapping[str, Json] = field(default_factory=dict)
    default_request: Mapping[str, Json] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, limit_ranges: Iterable[Json], kind: str) -> LimitRangeSummary:
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


def rests_on_any_change(_old: Json | None, _new: Json | None) -> bool:
    """Let what a LimitRange refused wait whatever becomes of it, as v0.19.2 does (BUG-161)."""
    return False


def has_other_bounds(old: Json | None, new: Json | None) -> bool:
    """Tell whether a LimitRange has come or gone, or has other bounds (BUG-161, fixed)."""
    before, after = (
        [[line.get(name) for name in BOUNDS] for line in _lines(limit_range or {})]
        for limit_range in (old, new)
    )
    return before != after


def _with_overhead(pod: Json, runtime_classes: Mapping[str, Json]) -> Json:
    """A class that does not exist has no overhead."""
    runtime_class = runtime_classes.get(pod.get("runtimeClassName") or "")
    overhead = ((runtime_class or {}).get("overhead") or {}).get("podFixed")
    # The API server adds the overhead when a pod is created; until then the podSet may
    # lack it.
    return {**pod, "overhead": overhead} if overhead and not pod.get("overhead") else pod


def _with_defaults(
    pod: Json, limits: LimitRangeSummary, fill: Callable[[Json, LimitRangeSummary], Json]
) -> Json:
    """Fill in the resources of containers; of whole pods the API server allows no defaults."""
    return pod | {
        kind: [fill(container, limits) for container in pod[kind]] for kind in BOTH_KINDS if pod.get(kind)
    }


def fill_from_limit_range(container: Json, limits: LimitRangeSummary) -> Json:
    """Fill in defaults, also where a limit is the request of the pod, as v0.19.2 does (BUG-160)."""
    return _fill(container, limits, {})


def fill_from_own_limits_first(container: Json, limits: LimitRangeSummary) -> Json:
    """Fill in the container's limits as the API server does, and defaults for the rest (BUG-160, fixed)."""
    return _fill(container, limits, (container.get("resources") or {}).get("limits") or {})


def keep_pod(pod: Json) -> Json:
    """Return a pod with its own resources unchanged, as v0.19.2 does (BUG-163)."""
    return pod


def raise_pod_requests(pod: Json) -> Json:
    """Return a pod that requests no less than its containers do together (BUG-163, fixed)."""
    resources = pod.get("resources") or {}
    requests = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
    containers = container_requests(pod)
    low = {name for name, value in requests.items() if amount(name, value) < containers.get(name, 0)}
    if not low:
        return pod
    # Without a number of its own for these, the pod requests what its containers do.
    remaining_resources = {
        kind: {name: value for name, value in (resources.get(kind) or {}).items() if name not in low}
        for kind in ("limits", "requests")
    }
    return {**pod, "resources": {**resources, **remaining_resources}}


def _fill(container: Json, limits: LimitRangeSummary, own: Json) -> Json:
    resources = container.get("resources") or {}
    added = {
        # Values of the container win over defaults.
        "limits": {**limits.default, **(resources.get("limits") or {})},
        "requests": {**limits.default_request, **own, **(resources.get("requests") or {})},
    }
    filled = {**resources, **{name: value for name, value in added.items() if value}}
    return {**container, "resources": filled} if filled != resources else container


def adjust(
    workload: Json,
    limit_ranges: Iterable[Json],
    runtime_classes: Mapping[str, Json],
    *,
    fill: Callable[[Json, LimitRangeSummary], Json] = fill_from_limit_range,
    complete_pod: Callable[[Json], Json] = keep_pod,
) -> Json:
    """Return a Workload as its requests are counted: the very same when there is nothing to add.

    `fill` completes a container (BUG-160), `complete_pod` a pod (BUG-163).
    """
    ranges = list(limit_ranges)
    if not ranges and not runtime_classes and complete_pod is keep_pod:
        return workload
    limits = LimitRangeSummary.of(ranges, CONTAINER)
    spec = workload.get("spec") or {}
    pod_sets = spec.get("podSets") or []
    new = []
    for pod_set in pod_sets:
        pod = _with_overhead(pod_set["template"]["spec"], runtime_classes)
        pod = complete_pod(_with_defaults(pod, limits, fill))
        new.append({**pod_set, "template": {**pod_set["template"], "spec": pod}})
    return workload if new == pod_sets else {**workload, "spec": {**spec, "podSets": new}}
