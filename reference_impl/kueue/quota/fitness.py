"""Whether pods ask for what they may:
requests within their limits and within LimitRanges (Q-093, M-042…M-045).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from ...api.resource import Json
from ...pods.amounts import amount
from ...pods.requests import pod_requests
from .adjusting import BOTH_KINDS, CONTAINER, POD, LimitRangeSummary

UNFIT = "resources validation failed"
OUT_OF_RANGE = "resources didn't satisfy LimitRange constraints"
POD_LEVEL = "resources"
"""The field of requests for a pod as a whole."""


class Fault(StrEnum):
    """The error of an amount, in the text of v0.19."""

    ABOVE_OWN = "requests must not exceed its limits"
    ABOVE = "requests must not be above the limitRange max"
    BELOW = "requests must not be below the limitRange min"


class LimitRangeViolation(NamedTuple):
    """Resources of one pod set that are out of bounds;
    `path` is a container in the pod's spec, empty for the pod.
    """

    number: int
    pod_set: str
    path: str
    resources: tuple[str, ...]
    fault: Fault


def validate_requests(pod_sets: Iterable[Json], limit_ranges: Iterable[Json]) -> str:
    """Return the error of the requests of adjusted pods, empty when there is none."""
    pods, ranges = [*pod_sets], [*limit_ranges]
    return _describe(UNFIT, above_limits(pods)) or _describe(OUT_OF_RANGE, out_of_ranges(pods, ranges))


def above_limits(pod_sets: Iterable[Json]) -> list[LimitRangeViolation]:
    """Find the requests that are above the limits of the same container or pod."""
    return [
        violation
        for index, pod_set in enumerate(pod_sets)
        for path, holder in (
            *_containers(pod_set["template"]["spec"]),
            (POD_LEVEL, pod_set["template"]["spec"]),
        )
        for violation in _above(
            index, pod_set, path, _amounts(holder, "requests"), _amounts(holder, "limits"), Fault.ABOVE_OWN
        )
    ]


def out_of_ranges(pod_sets: Iterable[Json], limit_ranges: list[Json]) -> list[LimitRangeViolation]:
    """Find the amounts that LimitRanges of types Container and Pod do not allow."""
    if not limit_ranges:
        return []
    of_container, of_pod = (
        LimitRangeSummary.of(limit_ranges, CONTAINER),
        LimitRangeSummary.of(limit_ranges, POD),
    )
    return [
        violation
        for index, pod_set in enumerate(pod_sets)
        for violation in _of_pod_set(index, pod_set, of_container, of_pod)
    ]


def _of_pod_set(
    index: int, pod_set: Json, of_container: LimitRangeSummary, of_pod: LimitRangeSummary
) -> Iterator[LimitRangeViolation]:
    pod = pod_set["template"]["spec"]
    for path, holder in _containers(pod):
        requests, limits = _amounts(holder, "requests"), _amounts(holder, "limits")
        names = requests.keys() | limits.keys()
        both = {name: [amounts[name] for amounts in (requests, limits) if name in amounts] for name in names}
        most, least = ({name: pick(of) for name, of in both.items()} for pick in (max, min))
        yield from _above(index, pod_set, path, most, of_container.most, Fault.ABOVE)
        yield from _above(index, pod_set, path, of_container.least, least, Fault.BELOW)
    total = pod_requests(pod)
    yield from _above(index, pod_set, "", total, of_pod.most, Fault.ABOVE)
    yield from _above(index, pod_set, "", of_pod.least, total, Fault.BELOW)


def _containers(pod: Json) -> Iterator[tuple[str, Json]]:
    for kind in BOTH_KINDS:
        for index, container in enumerate(pod.get(kind) or ()):
            yield f"{kind}[{index}]", container


def _amounts(holder: Json, member: str) -> dict[str, int]:
    amounts = (holder.get("resources") or {}).get(member) or {}
    return {name: amount(name, quantity) for name, quantity in amounts.items()}


def _above(
    index: int, pod_set: Json, path: str, these: Mapping[str, int], those: Mapping[str, int], fault: Fault
) -> Iterator[LimitRangeViolation]:
    names = tuple(sorted(name for name, value in these.items() if name in those and value > those[name]))
    if names:
        yield LimitRangeViolation(index, str(pod_set["name"]), path, names, fault)


def _describe(problem: str, violations: list[LimitRangeViolation]) -> str:
    if not violations:
        return ""
    listed = ", ".join(map(_text, violations))
    return f"{problem}: {listed}" if len(violations) == 1 else f"{problem}: [{listed}]"


def _text(violation: LimitRangeViolation) -> str:
    path = f".{violation.path}" if violation.path else ""
    names = ",".join(map(json.dumps, violation.resources))
    return (
        f"spec.podSets[{violation.number}].template.spec{path}: Invalid value: [{names}]: {violation.fault}"
    )
