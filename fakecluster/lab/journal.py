"""The cluster's journal over HTTP (F-01, F-14)."""

from __future__ import annotations

from ..base.json_types import Json
from ..base.numbers.integers import short
from ..journal.exports import FORMATS, pieces
from ..journal.matching import UnknownValueError, matcher
from .cluster import Cluster
from .routing import Answer, LabError, LabRequest, Route, StreamedAnswer

NUMBER_PARAMETERS = frozenset({"code", "seq"})
BOOLEANS = {"true": True, "false": False}
BOOLEAN_PARAMETERS = frozenset({"wrote", "dry_run"})
CONTENT_TYPES = {"har": "application/json", "jsonl": "application/jsonl", "audit": "application/jsonl"}


def journal(cluster: Cluster, request: LabRequest) -> Answer:
    """Return entries:
    ?verb=patch&resource=jobs/status&actor=NAME&since=SEQ&format=jsonl|har|audit|markdown.
    """
    query = dict(request.query)
    form, since = query.pop("format", "jsonl"), query.pop("since", "0")
    if form not in FORMATS:
        raise LabError(400, f"no export {form!r}: expected one of {', '.join(FORMATS)}")
    after = _number("since", since)
    values = {name: _value(name, text) for name, text in query.items()}
    try:
        is_match = matcher(values)
    except UnknownValueError as error:
        raise LabError(400, str(error)) from error
    # The journal tests the number first, which is cheap.
    entries = cluster.journal.where(lambda entry: entry.seq > after and is_match(entry))
    return StreamedAnswer(pieces(entries, form), CONTENT_TYPES.get(form, "text/markdown; charset=utf-8"))


def _value(name: str, text: str) -> Json:
    if name in BOOLEAN_PARAMETERS and text not in BOOLEANS:
        raise LabError(400, f"{name} is {text[:100]!r}: expected one of {', '.join(BOOLEANS)}")
    if name in BOOLEAN_PARAMETERS:
        return BOOLEANS[text]
    return _number(name, text) if name in NUMBER_PARAMETERS else text


def _number(name: str, text: str) -> int:
    number = short(text)
    if number is None:
        raise LabError(400, f"{name} is {text[:100]!r}: expected a whole number")
    return number


TABLE = {("GET", "journal"): Route(journal, reads_query=True)}
