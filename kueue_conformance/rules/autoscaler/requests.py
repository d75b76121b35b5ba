"""Requests are their users': an autoscaler answers in the status, and those of its classes only
(provisioning.md PR-013, PR-052, PR-020).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..story import Finding, SafetyRule, Story
from .writes import KIND, by_autoscaler

_SERVED = ("check-capacity.autoscaling.x-k8s.io", "best-effort-atomic-scale-up.autoscaling.x-k8s.io")
_PROPOSED = ("check-capacity.kubernetes.io", "atomic-scale-up.kubernetes.io")


def _spec(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        if change.after and change.after.get("spec") != before["spec"]:
            yield change, "its spec is changed"


def _metadata(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        for field in ("labels", "annotations", "ownerReferences", "finalizers"):
            if change.after and change.after["metadata"].get(field) != before["metadata"].get(field):
                yield change, f"its {field} are changed"


def _foreign(story: Story) -> Iterator[Finding]:
    for change, before in by_autoscaler(story):
        name = str(before["spec"].get("provisioningClassName", before["spec"].get("provisioningClass", "")))
        # An instance may serve the class with its name in front (PR-109g).
        if change.after and not name.endswith(_SERVED) and name not in _PROPOSED:
            yield change, f"it is of class {name}, which is served by others"


def _creations(story: Story) -> Iterator[Finding]:
    # Known by its writes to status: a User-Agent that only creates could be a user's.
    names = {change.actor for change, _ in by_autoscaler(story)}
    for change in story.changes:
        if change.kind == KIND and change.before is None and change.actor in names:
            yield change, "it is created by the autoscaler"


REQUESTS = (
    SafetyRule("PR-008", "changes nothing but the status of a request", _metadata),
    SafetyRule("PR-013", "leaves the spec of a request as it is", _spec),
    SafetyRule("PR-020", "creates no requests", _creations),
    SafetyRule("PR-052", "writes no request of another class", _foreign, since="1.31"),
)
