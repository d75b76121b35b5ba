"""The story of a case, read out of the server's journal."""

from __future__ import annotations

from collections.abc import Sequence

from fakecluster.cluster import FakeCluster
from fakecluster.journal import Change as Written
from fakecluster.journal import Entry

from ...client import RESOURCES
from ...history import SUBJECT, Attempt, Change
from .identity import SUBJECT_USER

_KINDS = {(one.group, one.plural): kind for kind, one in RESOURCES.items()}
_WRITES = frozenset({"create", "update", "patch", "delete", "deletecollection"})


class JournalRecorder:
    """Reads changes out of the server's journal, from the moment it was made."""

    knows_users = True

    def __init__(self, cluster: FakeCluster) -> None:
        self._journal = cluster.journal
        self._changes: list[Change] = []
        self._attempts: list[Attempt] = []
        self._seen = self._journal.last

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        self._read()
        return self._changes

    def attempts(self) -> Sequence[Attempt]:
        """Return the subject's write requests so far, in order."""
        self._read()
        return self._attempts

    def _read(self) -> None:
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            kind = _KINDS.get((entry.group, entry.resource))
            if kind:
                self._changes += [_change(entry, kind, one) for one in entry.changes]
                self._attempts += [_attempt(entry, kind)] if _is_write_of_subject(entry) else []


def _change(entry: Entry, kind: str, one: Written) -> Change:
    metadata = (one.after or one.before)["metadata"]
    return Change(
        revision=one.revision, at=entry.time, actor=_actor(entry), verb=entry.verb, kind=kind,
        namespace=metadata.get("namespace", ""), name=metadata["name"], before=one.before, after=one.after,
        subresource=entry.subresource,
    )  # fmt: skip


def _actor(entry: Entry) -> str:
    return SUBJECT if entry.user == SUBJECT_USER else entry.user_agent.partition("/")[0]


def _is_write_of_subject(entry: Entry) -> bool:
    return entry.user == SUBJECT_USER and entry.verb in _WRITES and not entry.dry_run


def _attempt(entry: Entry, kind: str) -> Attempt:
    return Attempt(
        at=entry.time, verb=entry.verb, kind=kind, namespace=entry.namespace, name=entry.name,
        subresource=entry.subresource, code=entry.code, message=entry.message, changed=entry.wrote,
    )  # fmt: skip
