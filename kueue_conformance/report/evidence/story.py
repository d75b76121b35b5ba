"""The story of a case as NDJSON: a line about the case, then every change, request and question of the
subject, in order.

An object's state before a change is not repeated where the change before it left it so.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from ...base.errors import UsageError
from ...base.files import input_limits
from ...base.json_types import Json
from ...history.story import Change, Question, Request, UnreleasedWork
from ..redaction import Redaction

VERSION = 1
_LONGEST_BODY = 256 * 1024
_AS_IT_WAS = "as it was"
_Key: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence of a case: its record, changes, requests, and which changes were the subject's.

    What Secrets hold is taken out when it is written.
    """

    about: Mapping[str, Any]
    changes: Sequence[Change]
    requests: Sequence[Request] = ()
    questions: Sequence[Question] = ()
    attempts: Sequence[Request] = ()
    unreleased_work: Sequence[UnreleasedWork] = ()


def write(evidence: Evidence) -> bytes:
    """Return the lines of a file, without what Secrets hold."""
    return b"".join(
        orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in _lines(_redact(evidence))
    )


def read(file: Path) -> Evidence:
    """Return the evidence in a file. Raises UsageError for a file of another form."""
    try:
        first, *rest = (input_limits.json_of(line) for line in input_limits.content(file).splitlines())
    except OSError as problem:
        raise UsageError(
            f"evidence {str(file)!r} cannot be read: {problem.strerror}", hint="check the path"
        ) from problem
    except ValueError as problem:
        raise UsageError(
            f"evidence {str(file)!r} is not NDJSON: {input_limits.shorten(str(problem))}",
            hint="was the file written to its end?",
        ) from problem
    if not isinstance(first, dict) or first.get("evidence") != VERSION:
        raise UsageError(
            f"{str(file)!r} is no evidence of version {VERSION}",
            hint="the first line says `evidence` and its version",
        )
    with sound(file):
        return _of(first, rest)


@contextmanager
def sound(file: Path) -> Iterator[None]:
    """Check that a run could have written this file. Raises UsageError otherwise."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise UsageError(
            f"evidence {str(file)!r} has content that no run writes",
            hint="take the folder `evidence` as the run wrote it: `kueue-conformance verify` compares it with its index",
        ) from problem


def _of(first: Json, rest: Sequence[Json]) -> Evidence:
    requests = [(line.pop("own", False), _request(line)) for line in _lines_of("request", rest)]
    for word in ("scenario", "test", "dialect", "controller"):
        if not isinstance(first[word], str):
            raise TypeError(word)
    return Evidence(
        about=first,
        changes=list(_changes(_lines_of("change", rest))),
        requests=[request for _, request in requests],
        questions=[Question(**line) for line in _lines_of("question", rest)],
        attempts=[request for own, request in requests if own],
        unreleased_work=[UnreleasedWork(**line) for line in _lines_of("unreleased", rest)],
    )


def _redact(evidence: Evidence) -> Evidence:
    hidden = Redaction.of(evidence.changes, evidence.requests)
    own = {id(attempt) for attempt in evidence.attempts}
    requests = [(hidden.request(request), id(request) in own) for request in evidence.requests]
    return Evidence(
        about=hidden.plain(evidence.about),
        changes=[*map(hidden.change, evidence.changes)],
        requests=[request for request, _ in requests],
        questions=evidence.questions,
        attempts=[request for request, is_own in requests if is_own],
        unreleased_work=evidence.unreleased_work,
    )


def _lines(evidence: Evidence) -> Iterator[Json]:
    yield {"evidence": VERSION, **evidence.about}
    last: dict[_Key, Json] = {}
    for change in evidence.changes:
        key = (change.kind, change.namespace, change.name)
        same = change.before is not None and last.get(key) == change.before
        yield {"change": {**_plain(change), "before": _AS_IT_WAS if same else change.before}}
        last[key] = change.after
    own = {id(attempt) for attempt in evidence.attempts}
    for request in evidence.requests:
        yield {
            "request": {
                **_plain(request),
                **_body(request.body),
                **({"own": True} if id(request) in own else {}),
            }
        }
    yield from ({"question": _plain(question)} for question in evidence.questions)
    yield from ({"unreleased": _plain(work)} for work in evidence.unreleased_work)


def _plain(record: Change | Request | Question | UnreleasedWork) -> dict[str, Any]:
    """Return the fields that are not empty."""
    return {
        field_.name: dict(value) if isinstance(value, Mapping) else value
        for field_ in fields(record)
        if (value := getattr(record, field_.name)) not in ("", None, b"", {})
    }


def _body(body: bytes) -> dict[str, Any]:
    if len(body) > _LONGEST_BODY:
        return {"body": "", "dropped": len(body)}
    try:
        return {"body": body.decode()} if body else {}
    except UnicodeDecodeError:
        return {"body": base64.b64encode(body).decode(), "base64": True}


def _lines_of(word: str, lines: Sequence[Json]) -> Iterator[Json]:
    return (line[word] for line in lines if isinstance(line, dict) and word in line)


def _changes(lines: Iterator[Json]) -> Iterator[Change]:
    last: dict[_Key, Json] = {}
    for line in lines:
        key = (line["kind"], line.get("namespace", ""), line["name"])
        before = last.get(key) if line.get("before") == _AS_IT_WAS else line.get("before")
        yield Change(**{"after": None, "namespace": "", "name": "", **line, "before": before})
        last[key] = line.get("after")


def _request(line: Json) -> Request:
    body, is_complete = line.pop("body", ""), not line.pop("dropped", 0)
    raw = base64.b64decode(body) if line.pop("base64", False) else body.encode()
    names = {field_.name for field_ in fields(Request)}
    return Request(
        **{key: value for key, value in line.items() if key in names}, body=raw if is_complete else b""
    )
