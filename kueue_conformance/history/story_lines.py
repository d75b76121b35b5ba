"""The story of a case in lines: changes with their authors,
and writes that the server refused (harness/H-21).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..base.json_types import Json
from .story import SUBJECT, Change, Request

_LONGEST_MESSAGE = 120
"""The most characters of a server's message in a line."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Alike writes in a row that the server refused, with no change between them."""

    first: Request
    times: int
    seconds: float

    def __str__(self) -> str:
        rest = f", {self.times} times in {self.seconds:.1f} s" if self.times > 1 else ""
        return f"{refusal(self.first)}{rest}"


def tell(
    changes: Iterable[Change],
    printed: Sequence[tuple[float, str]] = (),
    refused: Sequence[Request] = (),
    actor: str = SUBJECT,
    limit: int = 12,
) -> list[str]:
    """Return one line for each change, as in a failure text (style.md §9), for the refused writes of `actor`,
    and for what the subject printed meanwhile.
    """
    wrote = list(changes)
    timed_lines = [
        *((change.at, f"rv {change.revision:<5} {change.actor:<24} {summary(change)}") for change in wrote),
        *((row.first.at, f"{'refused':<8} {actor:<24} {row}") for row in _in_a_row(refused, wrote)),
        *((at, f"{'prints':<8} {SUBJECT:<24} {text}") for at, text in printed),
    ]
    lines = [text for _, text in sorted(timed_lines, key=lambda line: line[0])]
    return (
        lines
        if len(lines) <= limit
        else [*lines[: limit // 2], f"… {len(lines) - limit} more …", *lines[-limit // 2 :]]
    )


def refusal(request: Request) -> str:
    """Return what was refused, with which code, and what the server said, such as `update workloads/status
    team-a/train (HTTP 409): the object has been modified`.
    """
    said = request.message.splitlines()[0][:_LONGEST_MESSAGE] if request.message else ""
    return f"{request}: {said}" if said else str(request)


def _in_a_row(refused: Sequence[Request], changes: Sequence[Change]) -> Iterator[Refusals]:
    """Yield refused writes; those that try the same between two changes are together."""
    times = sorted(change.at for change in changes)
    rows: dict[tuple[object, ...], list[Request]] = {}
    for request in refused:
        key = (
            bisect_right(times, request.at),
            request.verb,
            request.target,
            request.namespace,
            request.name,
            request.code,
        )
        rows.setdefault(key, []).append(request)
    for row in rows.values():
        yield Refusals(row[0], len(row), row[-1].at - row[0].at)


def summary(change: Change) -> str:
    """Return the effect of a change, such as `QuotaReserved=True, check a: Pending → Ready`."""
    if change.after is None:
        return "deleted"
    if change.before is None:
        return "created"
    effects = [
        *_conditions(change.before, change.after),
        *_checks(change.before, change.after),
        *_spec(change.before, change.after),
    ]
    return ", ".join(effects) or f"{change.verb}, nothing of the state"


def _conditions(before: Json, after: Json) -> Iterator[str]:
    old, new = _by(before, "conditions", "type"), _by(after, "conditions", "type")
    for name in sorted({*old, *new}):
        status, previous = new.get(name, {}).get("status"), old.get(name, {}).get("status")
        if status is None:
            yield f"{name} removed"
        # A reason may move while the status stays.
        elif status != previous or new[name].get("reason") != old[name].get("reason"):
            yield f"{name}={status} ({new[name].get('reason', '')})"


def _checks(before: Json, after: Json) -> Iterator[str]:
    old, new = _by(before, "admissionChecks", "name"), _by(after, "admissionChecks", "name")
    for name in sorted({*old, *new}):
        state, previous = new.get(name, {}).get("state", "gone"), old.get(name, {}).get("state", "none")
        if state != previous:
            yield f"check {name}: {previous} → {state}"


def _spec(before: Json, after: Json) -> Iterator[str]:
    old, new = before.get("spec") or {}, after.get("spec") or {}
    for name in ("active", "suspend", "stopPolicy"):
        if old.get(name) != new.get(name):
            yield f"spec.{name}={new.get(name)}"


def _by(document: Json, field: str, key: str) -> Mapping[str, Json]:
    return {item.get(key, ""): item for item in (document.get("status") or {}).get(field) or ()}
