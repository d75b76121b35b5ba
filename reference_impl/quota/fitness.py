"""Whether pods ask for what they may: requests within their limits and within LimitRanges (Q-093, M-042…M-045)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from ..api.resource import Json
from .adjusting import BOTH_KINDS, CONTAINER, POD, Limits
from .amounts import amount
from .requests import pod_requests

ABOVE_OWN = "requests must not exceed its limits"
ABOVE = "requests must not be above the limitRange max"
BELOW = "requests must not be below the limitRange min"


def objection(pod_sets: Iterable[Json], limit_ranges: Iterable[Json]) -> str:
    """Say what is wrong with the requests of adjusted pods, empty when nothing is."""
    pods = [
        (f"spec.podSets[{index}].template.spec", pod_set["template"]["spec"])
        for index, pod_set in enumerate(pod_sets)
    ]
    ranges = list(limit_ranges)
    return _told("resources validation failed", [e for path, pod in pods for e in _own(path, pod)]) or _told(
        "resources didn't satisfy LimitRange constraints",
        [error for path, pod in pods for error in _ranges(path, pod, ranges)] if ranges else [],
    )


def _told(what: str, errors: list[str]) -> str:
    if not errors:
        return ""
    listed = ", ".join(errors)
    return f"{what}: {listed}" if len(errors) == 1 else f"{what}: [{listed}]"


def _own(path: str, pod: Json) -> Iterator[str]:
    for place, holder in (*_containers(path, pod), (f"{path}.resources", pod)):
        requests, limits = _amounts(holder, "requests"), _amounts(holder, "limits")
        yield from _above(place, requests, limits, ABOVE_OWN)


def _ranges(path: str, pod: Json, limit_ranges: list[Json]) -> Iterator[str]:
    of_container, of_pod = Limits.of(limit_ranges, CONTAINER), Limits.of(limit_ranges, POD)
    for place, holder in _containers(path, pod):
        requests, limits = _amounts(holder, "requests"), _amounts(holder, "limits")
        names = requests.keys() | limits.keys()
        both = {name: [each[name] for each in (requests, limits) if name in each] for name in names}
        most, least = ({name: pick(of) for name, of in both.items()} for pick in (max, min))
        yield from _above(place, most, of_container.most, ABOVE)
        yield from _above(place, of_container.least, least, BELOW)
    total = pod_requests(pod)
    yield from _above(path, total, of_pod.most, ABOVE)
    yield from _above(path, of_pod.least, total, BELOW)


def _containers(path: str, pod: Json) -> Iterator[tuple[str, Json]]:
    for kind in BOTH_KINDS:
        for index, container in enumerate(pod.get(kind) or ()):
            yield f"{path}.{kind}[{index}]", container


def _amounts(holder: Json, member: str) -> dict[str, int]:
    said = (holder.get("resources") or {}).get(member) or {}
    return {name: amount(name, quantity) for name, quantity in said.items()}


def _above(path: str, these: Mapping[str, int], those: Mapping[str, int], message: str) -> Iterator[str]:
    names = sorted(name for name, value in these.items() if name in those and value > those[name])
    if names:
        yield f"{path}: Invalid value: [{','.join(map(json.dumps, names))}]: {message}"
