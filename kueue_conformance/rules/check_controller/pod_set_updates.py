"""Fields beside a state: changes of pods with Ready,
a delay with Retry (CC-034, CC-037; AC-121, AC-123…127, AC-362).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.objects import PodSetUpdate, ProvisioningRequestStatus
from ..story import Finding, SafetyRule, Story
from ..workload import entries
from .moves import own_moves

_DELAY = Bound("s", least=0)
_MAPS: Final[tuple[Literal["labels", "annotations", "nodeSelector"], ...]] = (
    "labels",
    "annotations",
    "nodeSelector",
)


def _updates(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        updates = new.get("podSetUpdates") or []
        # An entry that moves for another reason keeps its updates, and is not judged by them.
        if updates == (old.get("podSetUpdates") or []):
            continue
        if old.get("state") == new.get("state") == "Ready":
            yield change, f"entry {name}: podSetUpdates changed while it is Ready"
        elif updates and new.get("state") != "Ready":
            yield change, f"entry {name}: podSetUpdates with {new['state']}, not with Ready"
        ordered = _provisioned_values(story, change.namespace)
        yield from (
            (change, f"entry {name}: {text}") for text in _illegal(change.after, name, updates, ordered)
        )
    yield from _refusals(story, "podSetUpdates")


def _provisioned_values(story: Story, namespace: str) -> frozenset[str]:
    """Return the values that an autoscaler gave to the details of a class:
    a check passes them on as they are (PA-092).
    """
    requests = (
        change.after
        for change in story.changes
        if change.kind == "ProvisioningRequest" and change.namespace == namespace
    )
    statuses: Iterator[ProvisioningRequestStatus] = (
        request.get("status") or ProvisioningRequestStatus() for request in requests if request
    )
    return frozenset(
        value for status in statuses for value in (status.get("provisioningClassDetails") or {}).values()
    )


def _illegal(
    workload: Json, name: str, updates: list[PodSetUpdate], ordered: frozenset[str]
) -> Iterator[str]:
    """Say what is wrong with changes of pods: unknown pods, and values, but those `ordered`, that contradict
    the template or another check.
    """
    templates = {pod_set["name"]: pod_set["template"] for pod_set in workload["spec"].get("podSets", [])}
    for update in updates:
        pods = update["name"]
        if pods not in templates:
            yield f"podSetUpdates for pods {pods!r}, which the Workload does not have"
            continue
        other_updates = [
            other
            for key, entry in entries(workload).items()
            if key != name
            for other in entry.get("podSetUpdates") or []
            if other["name"] == pods
        ]
        for values, whose in [
            (_template_values(templates[pods]), "its template"),
            *((other, "another check") for other in other_updates),
        ]:
            yield from (f"{text} in {whose}" for text in _contradictions(update, values, ordered))


def _template_values(template: Json) -> Mapping[str, Json]:
    return {**(template.get("metadata") or {}), **(template.get("spec") or {})}


def _contradictions(
    update: PodSetUpdate, values: Mapping[str, Json], ordered: frozenset[str]
) -> Iterator[str]:
    for field in _MAPS:
        expected = values.get(field) or {}
        for key, value in (update.get(field) or {}).items():
            # An equal value is no contradiction.
            if expected.get(key, value) != value and not (field == "nodeSelector" and value in ordered):
                yield f"{field}[{key}] is {value!r}, and {expected[key]!r}"


def _delays(story: Story) -> Iterator[Finding]:
    for change, name, old, new in own_moves(story):
        delay = new.get("requeueAfterSeconds")
        if delay is not None and delay != old.get("requeueAfterSeconds") and new.get("state") != "Retry":
            yield (
                change,
                f"entry {name}: requeueAfterSeconds of {delay} s with {new['state']}, not with Retry",
            )
    yield from _refusals(story, "requeueAfterSeconds")


def _refusals(story: Story, field: str) -> Iterator[Finding]:
    for attempt in story.attempts:
        # 422 is the schema's word, 403 that of Kueue's webhook.
        if attempt.code in (403, 422) and attempt.kind == "Workload" and field in attempt.message:
            yield attempt, f"the API server refused it: {attempt.message}"


POD_SET_UPDATES = (
    SafetyRule(
        "CC-034",
        f"sets requeueAfterSeconds only together with Retry, and to {_DELAY}",
        _delays,
        since="0.15",
    ),
    SafetyRule(
        "CC-037",
        "writes podSetUpdates for existing pod sets, without contradictions to their templates, with Ready, and does not change them while it lasts",
        _updates,
    ),
)
