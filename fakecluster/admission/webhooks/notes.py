"""What a webhook leaves behind: warnings for the client, and an entry in the journal (FK-236, FK-315)."""

from __future__ import annotations

from ...api.outcome import CallResult
from ...api.trace import Trace
from ...base.json_types import Json
from .failures import CallFailed
from .hooks import Hook
from .responses import AdmissionResponse

NOTE = "webhooks"


def note_answer(trace: Trace, hook: Hook, answer: AdmissionResponse, result: CallResult) -> None:
    """Pass on a webhook's warnings and note what it said."""
    for text in answer.warnings:
        trace.warn(text)
    details: dict[str, Json] = {"allowed": answer.allowed, "seconds": result.seconds}
    if answer.patch:
        details["patch"] = answer.patch.decode("utf-8", "replace")
    if answer.annotations:
        details["annotations"] = {f"{hook.name}/{key}": value for key, value in answer.annotations.items()}
    _note(trace, hook, details)


def note_failure(trace: Trace, hook: Hook, failure: CallFailed) -> None:
    """Note that a webhook gave no valid answer."""
    _note(trace, hook, {"error": str(failure)})


def _note(trace: Trace, hook: Hook, details: dict[str, Json]) -> None:
    entry = {"configuration": hook.configuration, "name": hook.name, **details}
    trace.notes[NOTE] = [*trace.notes.get(NOTE, ()), entry]
