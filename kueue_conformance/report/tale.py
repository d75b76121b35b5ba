"""What happened in a case, told without names, times and revisions, so that two runs can be compared.

What a cluster's own programs say of Jobs and pods is left out: one cluster has them, another has not, and Kueue says nothing by it. So is
what becomes of an object whose owner is gone: where there is a garbage collector it takes the object before Kueue or after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from ..evidence import Evidence
from ..history import Change
from ..wire.client import KUEUE, RESOURCES

Json: TypeAlias = Any
_EVENT = "Event"
_CLUSTERS_OWN = frozenset({"kube-controller-manager", "kube-scheduler", "kubelet"})
_CANARY = "-canary-"
"""In the names of what is only made to see whether a subject still answers: how often that is done differs."""


def conditions(kept: Evidence) -> dict[str, list[str]]:
    """Return how each condition and each check's entry of each object went, such as `Workload 1 Admitted: True (Admitted)`."""
    told: dict[str, list[str]] = {}
    called = _Names()
    for change in _told_of(kept):
        if _is_kueues(change.kind) and change.after is not None:
            thing = called.of(change.kind, change.namespace, change.name)
            for name, value in _values(change, called):
                told.setdefault(f"{thing} {name}", []).append(value)
    return {name: [value for value, _ in groupby(values)] for name, values in told.items()}


def events(kept: Evidence) -> dict[str, int]:
    """Return the Events about each object, with how often; what is told again without anything else in between is told once."""
    called = _Names()
    for change in _told_of(kept):
        if change.kind != _EVENT:
            called.of(change.kind, change.namespace, change.name)
    told = {
        (one.namespace, one.name): one
        for one in _told_of(kept)
        if one.kind == _EVENT and one.after and one.actor not in _CLUSTERS_OWN
    }
    stories: dict[str, list[str]] = {}
    for one in told.values():
        thing, said = _event(one, called)
        stories.setdefault(thing, []).append(f"{thing} {said}")
    return dict(sorted(Counter(said for each in stories.values() for said, _ in groupby(each)).items()))


def _is_kueues(kind: str) -> bool:
    return kind in RESOURCES and RESOURCES[kind].group == KUEUE


def _told_of(kept: Evidence) -> Iterator[Change]:
    gone: set[str] = set()
    for one in kept.changes:
        meta: Mapping[str, Any] = (one.after or one.before or {}).get("metadata") or {}
        if one.after is None:
            gone.add(meta.get("uid", ""))
        if _CANARY not in one.name and not any(
            owner.get("uid", "") in gone for owner in _rows(meta, "ownerReferences")
        ):
            yield one


class _Names:
    """Calls objects by kind and number in the order in which they appear."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._kinds: Counter[str] = Counter()

    def of(self, kind: str, namespace: str, name: str) -> str:
        """Return what an object is called."""
        key = (kind, namespace, name)
        if key not in self._numbers:
            self._kinds[kind] += 1
            self._numbers[key] = self._kinds[kind]
        return f"{kind} {self._numbers[key]}"


def _values(change: Change, called: _Names) -> Iterator[tuple[str, str]]:
    status: Mapping[str, Any] = (change.after or {}).get("status") or {}
    for one in _rows(status, "conditions"):
        yield one.get("type", ""), f"{one.get('status')} ({one.get('reason', '')})"
    if change.kind == "Workload":
        for one in _rows(status, "admissionChecks"):
            yield called.of("AdmissionCheck", "", one.get("name", "")), str(one.get("state"))


def _rows(status: Mapping[str, Any], field: str) -> Sequence[Json]:
    return [one for one in status.get(field) or () if isinstance(one, dict)]


def _event(change: Change, called: _Names) -> tuple[str, str]:
    """Return what an Event is about, and what it says."""
    said: Mapping[str, Any] = change.after or {}
    about = said.get("involvedObject") or said.get("regarding") or {}
    thing = called.of(about.get("kind", ""), about.get("namespace", ""), about.get("name", ""))
    return thing, f"{said.get('type', '')} {said.get('reason', '')}"
