"""What v0.6 said of pods that ask for what they may not (Q-510)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from ...api.resource import Json
from .fitness import POD_LEVEL, Fault, LimitRangeViolation, above_limits, out_of_ranges

UNFIT = "resource validation failed"
OUT_OF_RANGE = "didn't satisfy LimitRange constraints"
TEXTS: Final[Mapping[Fault, str]] = MappingProxyType(
    {
        Fault.ABOVE_OWN: "{} requests exceed it's limits",
        Fault.ABOVE: "the requests of {} exceeds the limits",
        Fault.BELOW: "the requests of {} are less than the limits",
    }
)


def validate_requests(pod_sets: Iterable[Json], limit_ranges: Iterable[Json]) -> str:
    """Return the error of the requests of adjusted pods, empty when there is none; amounts of whole pods had
    no limits then.
    """
    pods = [*pod_sets]
    own = [violation for violation in above_limits(pods) if violation.path != POD_LEVEL]
    return _describe(UNFIT, own) or _describe(OUT_OF_RANGE, out_of_ranges(pods, [*limit_ranges]))


def _describe(problem: str, violations: list[LimitRangeViolation]) -> str:
    return f"{problem}: {'; '.join(map(_text, violations))}" if violations else ""


def _text(violation: LimitRangeViolation) -> str:
    path = ".".join(filter(None, ("podSets", violation.pod_set, violation.path)))
    return TEXTS[violation.fault].format(f"{path}[{', '.join(violation.resources)}]")
