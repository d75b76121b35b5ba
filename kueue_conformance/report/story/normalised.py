"""The course of a case without names, times and revisions, so that two runs can be compared.

What a cluster's own programs say of Jobs and pods is left out: one cluster has them, another has not, and
Kueue says nothing by it. So is what becomes of an object whose owner is gone: where there is a garbage
collector it takes the object before Kueue or after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ...base.json_types import Json
from ...history.story import Change
from ...wire.resource import KUEUE, RESOURCES
from ..evidence import Evidence

_EVENT = "Event"
_CLUSTERS_OWN = frozenset({"kube-controller-manager", "kube-scheduler", "kubelet"})
_CANARY = "-canary-"
"""Part of the names of canaries, whose number differs between runs."""


def conditions(kept: Evidence) -> dict[str, list[str]]:
    """Return the sequence of values of each condition and check entry,
    such as `Workload 1 of Job 1 Admitted: True (Admitted)`.
    """
    changes = list(_told_of(kept))
    called = _Names(changes)
    told: dict[str, list[str]] = {}
    for change in changes:
        if _is_kueues(change.kind) and change.after is not None:
            thing = called.of(change.kind, change.namespace, change.name)
            for name, value in _values(change, called):
                told.setdefault(f"{thing} {name}", []).append(value)
    return {name: [value for value, _ in groupby(values)] for name, values in told.items()}


def events(kept: Evidence) -> dict[str, int]:
    """Return the Events about each object, with how often; what is told again without anything else in
    between is told once.
    """
    changes = list(_told_of(kept))
    called = _Names(changes)
    told = {
        (one.namespace, one.name): one
        for one in changes
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
        metadata = _metadata(one)
        if one.after is None:
            gone.add(metadata.get("uid", ""))
        owners = _rows(metadata, "ownerReferences")
        if _CANARY not in one.name and not any(owner.get("uid", "") in gone for owner in owners):
            yield one


def _metadata(change: Change) -> Mapping[str, Any]:
    return (change.after or change.before or {}).get("metadata") or {}


class _Names:
    """Names objects by kind and number in the order in which they appear; what belongs to another by that: it
    may come in any order.
    """

    def __init__(self, changes: Iterable[Change]) -> None:
        self._called: dict[tuple[str, str, str], str] = {}
        self._numbers: Counter[tuple[str, str]] = Counter()
        for one in changes:
            if one.kind != _EVENT:
                self._note(one)

    def of(self, kind: str, namespace: str, name: str, owner: str = "") -> str:
        """Return the name of an object."""
        key = (kind, namespace, name)
        if key not in self._called:
            self._numbers[kind, owner] += 1
            self._called[key] = f"{kind} {self._numbers[kind, owner]}{owner}"
        return self._called[key]

    def _note(self, change: Change) -> None:
        owner = next(
            (one for one in _rows(_metadata(change), "ownerReferences") if one.get("controller")), None
        )
        of = f" of {self.of(owner['kind'], change.namespace, owner['name'])}" if owner else ""
        self.of(change.kind, change.namespace, change.name, of)


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
    """Return the object and the text of an Event."""
    said: Mapping[str, Any] = change.after or {}
    about = said.get("involvedObject") or said.get("regarding") or {}
    thing = called.of(about.get("kind", ""), about.get("namespace", ""), about.get("name", ""))
    return thing, f"{said.get('type', '')} {said.get('reason', '')}"
