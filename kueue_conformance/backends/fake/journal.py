"""The story of a case, read out of the server's journal."""

from __future__ import annotations

from collections.abc import Sequence

from fakecluster.cluster import FakeCluster
from fakecluster.journal import Change as Written
from fakecluster.journal import Entry

from ...history import SUBJECT, Change, Request
from ...wire.client import RESOURCES
from .identity import is_subject

_KINDS = {(one.group, one.plural): kind for kind, one in RESOURCES.items()} | {
    ("events.k8s.io", "events"): "Event"
}


class JournalRecorder:
    """Reads changes out of the server's journal, from the moment it was made."""

    knows_users = True

    def __init__(self, cluster: FakeCluster) -> None:
        self._journal = cluster.journal
        self._changes: list[Change] = []
        self._requests: list[Request] = []
        self._seen = self._journal.last

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        self._read()
        return self._changes

    def requests(self) -> Sequence[Request]:
        """Return the subject's requests so far, in order of their answers."""
        self._read()
        return self._requests

    def attempts(self) -> Sequence[Request]:
        """Return those that write kinds we know."""
        return [one for one in self.requests() if one.writes and one.kind]

    def _read(self) -> None:
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            kind = _KINDS.get((entry.group, entry.resource), "")
            if kind:
                self._changes += [_change(entry, kind, one) for one in entry.changes]
            if is_subject(entry.user):
                self._requests.append(_request(entry, kind))


def _change(entry: Entry, kind: str, one: Written) -> Change:
    metadata = (one.after or one.before)["metadata"]
    return Change(
        revision=one.revision, at=entry.time, actor=_actor(entry), verb=entry.verb, kind=kind,
        namespace=metadata.get("namespace", ""), name=metadata["name"], before=one.before, after=one.after,
        subresource=entry.subresource,
    )  # fmt: skip


def _actor(entry: Entry) -> str:
    return SUBJECT if is_subject(entry.user) else entry.user_agent.partition("/")[0]


def _request(entry: Entry, kind: str) -> Request:
    query = dict(entry.query)
    return Request(
        at=entry.time, user=entry.user, agent=entry.user_agent, verb=entry.verb, group=entry.group, resource=entry.resource,
        subresource=entry.subresource, kind=kind, namespace=entry.namespace, name=entry.name, code=entry.code,
        message=entry.message, changed=entry.wrote, patch_type=entry.patch_type, manager=entry.manager or query.get("fieldManager", ""), body=entry.body,
        answered=entry.answered, query=query,
    )  # fmt: skip
