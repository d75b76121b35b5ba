"""The story of a case, read out of the server's journal."""

from __future__ import annotations

from collections.abc import Sequence

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.journal import Change as Written
from fakecluster.journal import Entry

from ...history.story import SUBJECT, Change, Request
from ...wire.resource import RESOURCES
from ..interception.identity import is_subject
from ..interception.requests import SubjectRequests, attempts


class JournalRecorder:
    """Reads changes out of the server's journal, from the moment it was made."""

    knows_users = True

    def __init__(self, cluster: FakeCluster) -> None:
        self.kinds = frozenset(RESOURCES)
        self._journal = cluster.journal
        self._changes: list[Change] = []
        self._requests = SubjectRequests(cluster.journal)
        self._seen = self._journal.last

    def follow(self, group: str, resource: str, kind: str) -> None:
        """Have one more kind in the story from now on."""
        self.kinds |= {kind}
        self._requests.follow(group, resource, kind)

    def changes(self) -> Sequence[Change]:
        """Return the changes so far, in order."""
        # Only what is new is read: rules ask for the changes after every wait.
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            if entry.changes and (kind := self._requests.kind_of(entry)):
                self._changes += [_change(entry, kind, written) for written in entry.changes]
        return self._changes

    def arrivals(self, since: int) -> Sequence[Change]:
        """Return the changes from the `since`-th on: a journal has one order for all kinds."""
        return self.changes()[since:]

    def next_delivery(self) -> float | None:
        """Return None: a journal has every change at once."""

    def complete(self) -> None:
        """Do nothing: a journal has every change at once."""

    def newest_revision(self) -> int:
        """Return the newest revision since it was made, 0 when nothing was written."""
        changes = JournalRecorder.changes(self)
        return changes[-1].revision if changes else 0

    def requests(self) -> Sequence[Request]:
        """Return the subject's requests so far, in order of their answers."""
        return self._requests.all()

    def attempts(self) -> Sequence[Request]:
        """Return the requests that write known kinds."""
        return attempts(self.requests())

    def refused_writes(self) -> Sequence[Request]:
        """Return writes of the control plane that the server called wrong so far."""
        return self._requests.refused_writes()


def _change(entry: Entry, kind: str, written: Written) -> Change:
    # A removed object has no `after`; its last state tells its name.
    metadata = (written.after or written.before)["metadata"]
    return Change(
        revision=written.revision,
        at=entry.time,
        actor=_actor(entry),
        verb=entry.verb,
        kind=kind,
        namespace=metadata.get("namespace", ""),
        name=metadata["name"],
        before=written.before,
        after=written.after,
        subresource=entry.subresource,
    )


def _actor(entry: Entry) -> str:
    # The subject is known by its user, which a User-Agent cannot feign (H-47); for others the
    # agent's first word is enough.
    return SUBJECT if is_subject(entry.user) else entry.user_agent.partition("/")[0]
