"""The front of one worker before a real cluster: started when a subject first asks for an identity, stopped
with the backend.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fakecluster.front import Front
from fakecluster.journal import Entry, Journal
from fakecluster.recording.upstream import Upstream, UpstreamError

from ...base.errors import UsageError
from ...history.story import SUBJECT, Change, Request
from .faults import SubjectFaults
from .identity import identity, is_subject, user_of
from .requests import SubjectRequests, kind_of

# Which changes are the subject's, by the answers that its writes got; nothing is guessed (harness/H-47).
_Key = tuple[str, str, str, int | str]
"""Kind, namespace and name of an object, and the revision it was given, or the uid of what was removed."""


class SubjectWrites:
    """The subject's writes that changed something, as a journal tells them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = 0
        self._known: dict[_Key, Entry] = {}

    def attribute(self, change: Change) -> Change:
        """Return a change; one of the subject's gets the verb, subresource and time of its request."""
        self._read()
        entry = self._known.get(_key(change))
        if entry is None:
            return change
        # The request tells more than managedFields, from which a watch can only guess the
        # subresource.
        return replace(change, actor=SUBJECT, verb=entry.verb, subresource=entry.subresource, at=entry.time)

    def _read(self) -> None:
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            if entry.changes and is_subject(entry.user) and (kind := kind_of(entry)):
                self._known.update((key, entry) for key in _keys(entry, kind))


def _keys(entry: Entry, kind: str) -> Iterator[_Key]:
    for written in entry.changes:
        metadata = (written.after or written.before)["metadata"]
        # The answer to a DELETE has no revision of the deletion, while the watch event has; the
        # uid is in both.
        mark = metadata["uid"] if written.after is None else written.revision
        yield kind, metadata.get("namespace", ""), metadata["name"], mark


def _key(change: Change) -> _Key:
    gone = change.after is None and change.before is not None
    mark = change.before["metadata"].get("uid", "") if gone and change.before else change.revision
    return change.kind, change.namespace, change.name, mark


LOOPBACK = "127.0.0.1"
# Seconds for the answers of writes in flight; a subject that hangs must not hold up the story.
_SETTLE_SECONDS = 2.0


class SubjectFront:
    """Passes the subject's requests to a foreign cluster on; empty before it is started.

    It listens on loopback; for a subject in pods on `host_address`, by which pods reach this machine.
    """

    def __init__(self, kubeconfig: str, context: str, host_address: str = "") -> None:
        self._kubeconfig = kubeconfig
        self._context = context
        self._host_address = host_address
        self._front: Front | None = None
        self._requests: SubjectRequests | None = None
        self._writes: SubjectWrites | None = None

    @property
    def is_started(self) -> bool:
        """Whether a subject's requests pass through it."""
        return self._front is not None

    def identity(self, folder: Path, replica: int, account: str = "") -> str:
        """Write a kubeconfig for a replica of the subject and return its path. Raises UsageError.

        A replica in pods asks in the name of its service account;
        where they do not reach us, they go to the server itself.
        """
        # Loopback of a pod is the pod itself.
        if account and self._host_address in {"", LOOPBACK}:
            return self._kubeconfig
        front = self._standing(self._host_address if account else LOOPBACK)
        if account:
            # The front's own credentials carry the request; the API server decides by the rights
            # of the service account.
            front.impersonate(user_of(replica), account)
        return identity(front.kubeconfig, folder, replica)

    def requests(self) -> Sequence[Request]:
        """Return every request of the subject so far."""
        # First the journal is complete, then it is read.
        self.settle()
        return self._requests.all() if self._requests else ()

    def settle(self) -> None:
        """Wait until the journal has the subject's writes so far: other clients may see a write before its
        answer arrives here.
        """
        if self._front is not None:
            self._front.wait_for_writes(_SETTLE_SECONDS)

    def attribute(self, change: Change) -> Change:
        """Return a change with the subject as its author when an answer to one of its writes says so, before
        the subject sees the change.
        """
        if self._front is None or self._writes is None:
            return change
        # A watch event can reach the subject before the answer to its write has passed the front.
        shown = self._front.revisions.by(change.revision)
        attributed_change = self._writes.attribute(change)
        return (
            attributed_change
            if shown is None or attributed_change.at <= shown
            else replace(attributed_change, at=shown)
        )

    def faults(self) -> SubjectFaults | None:
        """Return the faults of one case, None where no subject's requests pass through."""
        return SubjectFaults(self._front) if self._front else None

    def restart(self, pause: float) -> None:
        """Cut every connection and accept new ones after `seconds`."""
        if self._front is not None:
            self._front.restart(pause)

    def close(self) -> None:
        """End it."""
        if self._front is not None:
            self._front.stop()
            self._front = None

    def _standing(self, host: str) -> Front:
        if self._front is None:
            try:
                front = Front(Upstream.of_kubeconfig(Path(self._kubeconfig), self._context), host=host)
            except (OSError, UpstreamError) as problem:
                raise UsageError(
                    f"the kubeconfig {self._kubeconfig!r} cannot be used: {problem}",
                    hint="check the path and the context",
                ) from problem
            # Before the start: a reader begins at the journal's end and would miss the first
            # requests.
            self._requests, self._writes = SubjectRequests(front.journal), SubjectWrites(front.journal)
            self._front = front.start()
        return self._front
