"""The subject's requests, read out of a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fakecluster.journal import Entry, Journal

from ...history.story import PLAYERS, Request
from ...wire.resource import RESOURCES
from .identity import is_subject

KINDS: Mapping[tuple[str, str], str] = {
    (resource.group, resource.plural): kind for kind, resource in RESOURCES.items()
} | {
    # The same objects by a second group: client-go's newer recorders write there.
    ("events.k8s.io", "events"): "Event"
}


# 404, 409 and 410 are the daily life of a controller, 5xx the server's trouble; these say that
# the request was wrong.
_WRONG = (400, 403, 422)
"""Status codes of requests that break a rule of a schema or a webhook."""


class SubjectRequests:
    """The subject's requests since this object was made, in order of their answers."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = journal.last
        self._kinds = dict(KINDS)
        self._found: list[Request] = []
        self._refused: list[Request] = []

    def follow(self, group: str, resource: str, kind: str) -> None:
        """Know one more kind."""
        self._kinds[group, resource] = kind

    def kind_of(self, entry: Entry) -> str:
        """Return the kind of a request's resource, empty where it is not known."""
        return kind_of(entry, self._kinds)

    def refused_writes(self) -> Sequence[Request]:
        """Return writes that the server called wrong so far,
        of known kinds, by clients other than subject and harness.
        """
        self.all()
        return self._refused

    def _request(self, entry: Entry) -> Request:
        return _request(entry, self.kind_of(entry))

    def all(self) -> Sequence[Request]:
        """Return every one so far."""
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            if is_subject(entry.user):
                self._found.append(self._request(entry))
            # The harness's own clients are left out: scenarios send wrong requests on purpose.
            elif entry.code in _WRONG and not entry.user_agent.startswith(PLAYERS):
                self._refused += attempts([self._request(entry)])
        return self._found


def attempts(requests: Sequence[Request]) -> Sequence[Request]:
    """Return the requests that write known kinds."""
    return [request for request in requests if request.writes and request.kind]


def kind_of(entry: Entry, kinds: Mapping[tuple[str, str], str] = KINDS) -> str:
    """Return the kind of a request's resource, empty where the harness knows none."""
    return kinds.get((entry.group, entry.resource), "")


def _request(entry: Entry, kind: str) -> Request:
    query = dict(entry.query)
    return Request(
        at=entry.time,
        user=entry.user,
        agent=entry.user_agent,
        verb=entry.verb,
        group=entry.group,
        version=entry.version,
        resource=entry.resource,
        subresource=entry.subresource,
        kind=kind,
        namespace=entry.namespace,
        name=entry.name,
        code=entry.code,
        message=entry.message,
        changed=entry.wrote,
        patch_type=entry.patch_type,
        # A create or update need not name its manager; the server then takes it from the
        # User-Agent.
        manager=entry.manager or query.get("fieldManager", ""),
        body=entry.body,
        answered=entry.answered,
        query=query,
    )
