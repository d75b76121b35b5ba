"""What a client is told when a webhook refuses, or does not answer (FK-309, FK-313)."""

from __future__ import annotations

from ...api import status
from ...api.status import StatusError
from ...base.json_types import Json
from ...schema.fields import go_quote

BAD_REQUEST, FAILURE_CODE, MAX_CODE = 400, 500, 999
STATUS_FIELD_ORDER = ("kind", "apiVersion", "metadata", "status", "message", "reason", "details", "code")


class CallFailed(Exception):
    """A webhook gave no valid answer; the text says why."""


def calling(name: str, failure: CallFailed) -> StatusError:
    """Return the failure of a write whose webhook gave no valid answer."""
    return status.internal(f"failed calling webhook {go_quote(name)}: {failure}")


def denial(name: str, answer_status: Json) -> StatusError:
    """Return the refusal of a webhook in its own words; it cannot say that all is well."""
    answer_status = answer_status or {}
    fields = {
        **answer_status,
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": answer_status.get("metadata") or {},
        # A webhook that denies cannot report success: the real server corrects its status and its code.
        "status": "Failure"
        if answer_status.get("status") in {None, "", "Success"}
        else answer_status["status"],
        "message": _message(name, answer_status),
        "code": _code(answer_status),
    }
    seconds = (fields.get("details") or {}).get("retryAfterSeconds")
    headers = (("Retry-After", str(seconds)),) if seconds and seconds > 0 else ()
    return StatusError(
        {key: fields[key] for key in STATUS_FIELD_ORDER if fields.get(key) not in (None, "")}, headers
    )


def _code(answer_status: Json) -> int:
    """Return a code that HTTP has; of a greater one the real server panics and ends the connection."""
    code: int = max(answer_status.get("code") or 0, BAD_REQUEST)
    return code if code <= MAX_CODE else FAILURE_CODE


def _message(name: str, answer_status: Json) -> str:
    reason = answer_status.get("message") or answer_status.get("reason")
    denied_by = f"admission webhook {go_quote(name)} denied the request"
    return f"{denied_by}: {reason}" if reason else f"{denied_by} without explanation"


def unconvertible_twice(text: str) -> status.StatusError:
    """Return how a failed conversion for a mutating webhook is told:
    as an internal error about an internal error (FK-332).
    """
    return status.internal(str(status.internal(text)))
