"""Which changes are the subject's, by the answers that its writes got; nothing is guessed (harness/H-47)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fakecluster.journal import Entry, Journal

from ...history.story import SUBJECT, Change
from .identity import is_subject
from .requests import kind_of

_Key = tuple[str, str, str, int | str]
"""Kind, namespace and name of an object, and the revision it was given, or the uid of what was removed."""


class Writes:
    """The subject's writes that changed something, as a journal tells them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = 0
        self._known: dict[_Key, Entry] = {}

    def attributed(self, change: Change) -> Change:
        """Return a change; one of the subject's gets the verb, subresource and time of its request."""
        self._read()
        entry = self._known.get(_key(change))
        if entry is None:
            return change
        return replace(change, actor=SUBJECT, verb=entry.verb, subresource=entry.subresource, at=entry.time)

    def _read(self) -> None:
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            if entry.changes and is_subject(entry.user) and (kind := kind_of(entry)):
                self._known.update((key, entry) for key in _keys(entry, kind))


def _keys(entry: Entry, kind: str) -> Iterator[_Key]:
    for one in entry.changes:
        metadata = (one.after or one.before)["metadata"]
        mark = metadata["uid"] if one.after is None else one.revision
        yield kind, metadata.get("namespace", ""), metadata["name"], mark


def _key(change: Change) -> _Key:
    gone = change.after is None and change.before is not None
    mark = change.before["metadata"].get("uid", "") if gone and change.before else change.revision
    return change.kind, change.namespace, change.name, mark
