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


def conditions(evidence: Evidence) -> dict[str, list[str]]:
    """Return the sequence of values of each condition and check entry,
    such as `Workload 1 of Job 1 Admitted: True (Admitted)`.
    """
    changes = list(_changes_without_garbage(evidence))
    called = _Names(changes)
    values_by_name: dict[str, list[str]] = {}
    for change in changes:
        if _is_kueues(change.kind) and change.after is not None:
            object_name = called.of(change.kind, change.namespace, change.name)
            for name, value in _values(change, called):
                values_by_name.setdefault(f"{object_name} {name}", []).append(value)
    return {name: [value for value, _ in groupby(values)] for name, values in values_by_name.items()}


def events(evidence: Evidence) -> dict[str, int]:
    """Return the Events about each object, with how often; what is told again without anything else in
    between is told once.
    """
    changes = list(_changes_without_garbage(evidence))
    called = _Names(changes)
    latest = {
        (change.namespace, change.name): change
        for change in changes
        if change.kind == _EVENT and change.after and change.actor not in _CLUSTERS_OWN
    }
    stories: dict[str, list[str]] = {}
    for change in latest.values():
        object_name, text = _event(change, called)
        stories.setdefault(object_name, []).append(f"{object_name} {text}")
    return dict(sorted(Counter(text for texts in stories.values() for text, _ in groupby(texts)).items()))


def _is_kueues(kind: str) -> bool:
    return kind in RESOURCES and RESOURCES[kind].group == KUEUE


def _changes_without_garbage(evidence: Evidence) -> Iterator[Change]:
    gone: set[str] = set()
    for change in evidence.changes:
        metadata = _metadata(change)
        if change.after is None:
            gone.add(metadata.get("uid", ""))
        owners = _rows(metadata, "ownerReferences")
        if _CANARY not in change.name and not any(owner.get("uid", "") in gone for owner in owners):
            yield change


def _metadata(change: Change) -> Mapping[str, Any]:
    return (change.after or change.before or {}).get("metadata") or {}


class _Names:
    """Names objects by kind and number in the order in which they appear; what belongs to another by that: it
    may come in any order.
    """

    def __init__(self, changes: Iterable[Change]) -> None:
        self._called: dict[tuple[str, str, str], str] = {}
        self._numbers: Counter[tuple[str, str]] = Counter()
        for change in changes:
            if change.kind != _EVENT:
                self._note(change)

    def of(self, kind: str, namespace: str, name: str, owner: str = "") -> str:
        """Return the name of an object."""
        key = (kind, namespace, name)
        if key not in self._called:
            self._numbers[kind, owner] += 1
            self._called[key] = f"{kind} {self._numbers[kind, owner]}{owner}"
        return self._called[key]

    def _note(self, change: Change) -> None:
        owner = next(
            (row for row in _rows(_metadata(change), "ownerReferences") if row.get("controller")), None
        )
        of = f" of {self.of(owner['kind'], change.namespace, owner['name'])}" if owner else ""
        self.of(change.kind, change.namespace, change.name, of)


def _values(change: Change, called: _Names) -> Iterator[tuple[str, str]]:
    status: Mapping[str, Any] = (change.after or {}).get("status") or {}
    for row in _rows(status, "conditions"):
        yield row.get("type", ""), f"{row.get('status')} ({row.get('reason', '')})"
    if change.kind == "Workload":
        for row in _rows(status, "admissionChecks"):
            yield called.of("AdmissionCheck", "", row.get("name", "")), str(row.get("state"))


def _rows(status: Mapping[str, Any], field: str) -> Sequence[Json]:
    return [row for row in status.get(field) or () if isinstance(row, dict)]


def _event(change: Change, called: _Names) -> tuple[str, str]:
    """Return the object and the text of an Event."""
    event: Mapping[str, Any] = change.after or {}
    about = event.get("involvedObject") or event.get("regarding") or {}
    object_name = called.of(about.get("kind", ""), about.get("namespace", ""), about.get("name", ""))
    return object_name, f"{event.get('type', '')} {event.get('reason', '')}"
