"""The request of a verdict: its field manager, precondition and form (CC-039…041, CC-086)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.files import input_limits
from ...base.json_types import Json
from ...history.story import Request
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story

APPLY, MERGE, STEPS = (
    "application/apply-patch+yaml",
    "application/merge-patch+json",
    "application/json-patch+json",
)
KUEUES_OWN = "kueue-admission"
_NEEDED = ("name", "state", "lastTransitionTime", "message")


def _verdicts(story: Story, form: str = "") -> Iterator[tuple[Request, Json]]:
    """Return the requests of one form that write the status of a Workload, with what they carry."""
    for one in story.attempts:
        wanted = not form or one.patch_type.partition(";")[0] == form
        if wanted and (one.kind, one.subresource) == ("Workload", "status") and one.body:
            yield (
                one,
                input_limits.said(one.body),
            )  # an apply may be YAML, and what is neither JSON nor YAML is refused by the server


def _applied(story: Story) -> Iterator[Finding]:
    managers: list[str] = []
    for one, body in _verdicts(story, APPLY):
        managers += [one.manager] if one.manager not in managers else []
        if one.manager == KUEUES_OWN:
            yield one, f"applies as {KUEUES_OWN}, which is Kueue"
        elif len(managers) > 1:
            yield one, f"applies as {one.manager} after {managers[0]}: fields of the former stay behind"
        if one.query.get("force") not in ("true", "1"):
            yield one, "applies without force, and Kueue owns the entry as well"
        for entry in _entries(body):
            lacking = [name for name in _NEEDED if name not in entry]
            if lacking:
                yield one, f"entry {entry.get('name', '')} lacks {', '.join(lacking)}"


def _merged(story: Story) -> Iterator[Finding]:
    for one, body in _verdicts(story, MERGE):
        if _entries(body) and not _metadata(body).get("resourceVersion"):
            yield (
                one,
                "sends the whole list in a merge patch without resourceVersion: what others wrote meanwhile is lost",
            )


def _forms(story: Story) -> Iterator[Finding]:
    yield from ((one, f"{one.verb} was refused: {one.message}") for one in story.attempts if one.code == 415)
    for one, body in _verdicts(story):
        if one.verb == "update" and not _metadata(body).get("resourceVersion"):
            yield one, "PUT without resourceVersion"
    for one, steps in _verdicts(story, STEPS):
        if isinstance(steps, list) and not any(map(_is_precondition, steps)):
            yield one, "JSON patch that tests nothing: places in a list move"


def _is_precondition(step: Json) -> bool:
    said = step if isinstance(step, dict) else {}
    return said.get("op") == "test" or said.get("path") == "/metadata/resourceVersion"


def _conditions(story: Story) -> Iterator[Finding]:
    for one, body in _verdicts(story, APPLY):
        if _entries(body) and not _metadata(body).get("resourceVersion"):
            yield one, "applies a verdict without the resourceVersion that it was found at"


def _entries(body: Json) -> list[Json]:
    status = body.get("status") if isinstance(body, dict) else None
    found = status.get("admissionChecks") if isinstance(status, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _metadata(body: Json) -> Json:
    found = body.get("metadata") if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}


REQUESTS = (
    SafetyRule("CC-039", "applies as itself, with force, entries that are whole", _applied),
    SafetyRule("CC-040", "sends a merge patch of the list with its resourceVersion", _merged),
    SafetyRule(
        "CC-041", "uses no strategic merge patch, and no PUT or JSON patch without a precondition", _forms
    ),
    SafetyRule(
        "CC-086", "writes verdicts on condition that nothing has changed", _conditions, level=Level.SHOULD
    ),
)
