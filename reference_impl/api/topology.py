"""Topology assignments in both versions: a list of domains, and slices that say
common things once (AC-208).
"""

from __future__ import annotations

from collections.abc import Sequence

from .resource import Json


def slices_of(assignment: Json) -> Json:
    """Return v1beta2's form of v1beta1's assignment: one slice."""
    domains = assignment.get("domains") or []
    levels = assignment.get("levels") or []
    if not domains:
        return {"levels": levels}
    columns = list(zip(*(domain.get("values") or [] for domain in domains), strict=False))
    only = {
        "domainCount": len(domains),
        "podCounts": _counts([domain.get("count", 0) for domain in domains]),
        "valuesPerLevel": [_level(column) for column in columns],
    }
    return {"levels": levels, "slices": [only]}


def domains_of(assignment: Json) -> Json:
    """Return v1beta1's form of v1beta2's assignment."""
    domains = [domain for slice_ in assignment.get("slices") or [] for domain in _domains(slice_)]
    return {"levels": assignment.get("levels") or [], "domains": domains}


def _domains(assignment: Json) -> list[Json]:
    indexes = range(assignment.get("domainCount", 0))
    counts = assignment.get("podCounts") or {}
    return [
        {
            "values": [_value(level, index) for level in assignment.get("valuesPerLevel") or []],
            "count": counts["universal"] if "universal" in counts else counts["individual"][index],
        }
        for index in indexes
    ]


def _value(level: Json, index: int) -> str:
    if "universal" in level:
        return str(level["universal"])
    names = level["individual"]
    return f"{names.get('prefix', '')}{names['roots'][index]}{names.get('suffix', '')}"


def _counts(counts: Sequence[int]) -> Json:
    return {"universal": counts[0]} if len(set(counts)) == 1 else {"individual": list(counts)}


def _level(names: Sequence[str]) -> Json:
    if len(set(names)) == 1:
        return {"universal": names[0]}
    prefix = _common(names)
    rests = [name[len(prefix) :] for name in names]
    suffix = _common([rest[::-1] for rest in rests])[::-1]
    roots = [rest[: len(rest) - len(suffix)] for rest in rests]
    return {"individual": {"prefix": prefix, "roots": roots, "suffix": suffix}}


def _common(names: Sequence[str]) -> str:
    """Return how all names begin."""
    first, last = min(names), max(names)
    length = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length]
