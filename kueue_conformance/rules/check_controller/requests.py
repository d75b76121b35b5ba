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
    for request in story.attempts:
        # The media type may have a charset behind a semicolon.
        is_of_form = not form or request.patch_type.partition(";")[0] == form
        if (
            not is_of_form
            or (request.kind, request.subresource) != ("Workload", "status")
            or not request.body
        ):
            continue
        # An apply may be YAML. What is neither was refused by the server, or is a large body that was refused
        # and of which only the beginning was kept: it says nothing about the form.
        body = input_limits.parse_json_or_yaml(request.body)
        if body is not None:
            yield request, body


def _applies(story: Story) -> Iterator[Finding]:
    managers: list[str] = []
    for request, body in _verdicts(story, APPLY):
        managers += [request.manager] if request.manager not in managers else []
        if request.manager == KUEUES_OWN:
            yield request, f"applies as {KUEUES_OWN}, which is Kueue"
        # Server-side apply removes a field only for the manager that applied it.
        elif len(managers) > 1:
            yield (
                request,
                f"applies as {request.manager} after {managers[0]}: fields of the former stay behind",
            )
        # Go's ParseBool takes both spellings.
        if request.query.get("force") not in ("true", "1"):
            yield request, "applies without force, and Kueue owns the entry as well"
        for entry in _entries(body):
            lacking = [name for name in _NEEDED if name not in entry]
            if lacking:
                yield request, f"entry {entry.get('name', '')} lacks {', '.join(lacking)}"


def _merge_patches(story: Story) -> Iterator[Finding]:
    for request, body in _verdicts(story, MERGE):
        if _entries(body) and not _metadata(body).get("resourceVersion"):
            yield (
                request,
                "sends the whole list in a merge patch without resourceVersion: what others wrote meanwhile is lost",
            )


def _forms(story: Story) -> Iterator[Finding]:
    yield from (
        (request, f"{request.verb} was refused: {request.message}")
        for request in story.attempts
        # A strategic merge patch: custom resources have no schema for it.
        if request.code == 415
    )
    for request, body in _verdicts(story):
        if request.verb == "update" and not _metadata(body).get("resourceVersion"):
            # The API server refuses an unconditional update of a custom resource.
            yield request, "PUT without resourceVersion"
    for request, steps in _verdicts(story, STEPS):
        # A JSON patch names places of a list by number, and the list may have changed since it
        # was read.
        if isinstance(steps, list) and not any(map(_is_precondition, steps)):
            yield request, "JSON patch without a test: positions in a list change"


def _is_precondition(step: Json) -> bool:
    fields = step if isinstance(step, dict) else {}
    return fields.get("op") == "test" or fields.get("path") == "/metadata/resourceVersion"


def _conditions(story: Story) -> Iterator[Finding]:
    for request, body in _verdicts(story, APPLY):
        if _entries(body) and not _metadata(body).get("resourceVersion"):
            yield request, "applies a verdict without the resourceVersion that it was found at"


def _entries(body: Json) -> list[Json]:
    status = body.get("status") if isinstance(body, dict) else None
    # Bodies come from the subject and may have any shape.
    entries = status.get("admissionChecks") if isinstance(status, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _metadata(body: Json) -> Json:
    metadata = body.get("metadata") if isinstance(body, dict) else None
    return metadata if isinstance(metadata, dict) else {}


REQUESTS = (
    SafetyRule("CC-039", "applies complete entries as its own field manager, with force", _applies),
    SafetyRule("CC-040", "sends a merge patch of the list with its resourceVersion", _merge_patches),
    SafetyRule(
        "CC-041", "uses no strategic merge patch, and no PUT or JSON patch without a precondition", _forms
    ),
    SafetyRule(
        "CC-086",
        "writes verdicts on condition that the object has not changed",
        _conditions,
        level=Level.SHOULD,
    ),
)
