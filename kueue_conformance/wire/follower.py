"""Lists and watches a collection; after a gap in the watch,
differences are reported with an unknown author.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from ..history import authors
from ..history.story import Change
from .reader import Reader
from .resource import Resource

_WATCH_SECONDS = 20
"""Seconds after which a watch is begun anew, so that who follows can be stopped."""
_RETRY_SECONDS = 1.0


class Follower:
    """Follows one kind and tells each change to `heard`."""

    def __init__(
        self, reader: Reader, resource: Resource, heard: Callable[[Change], None], stop: Event
    ) -> None:
        self._reader = reader
        self._resource = resource
        self._heard = heard
        self._stop = stop
        self._known: dict[tuple[str, str], Json] = {}
        # A watch without a revision begins with the present state, as ADDED events.
        self._revision = ""

    @property
    def kind(self) -> str:
        """The kind that it follows."""
        return self._resource.kind

    @property
    def revision(self) -> int:
        """The revision from which it watches on."""
        return int(self._revision or 0)

    def begin(self) -> None:
        """List the collection. Raises EnvironmentProblem when it may not be read."""
        objects, self._revision = self._reader.list(self._resource.path())
        listed = {_key(listed_object): listed_object for listed_object in objects}
        for key in [*self._known]:
            # Gone in the gap: who deleted it and when is not to be known any more.
            if key not in listed:
                self._tell(self._known[key], None, authors.UNKNOWN_AUTHOR, "listed")
        # Equal revisions are equal objects, so only what differs is told, in the order of the writes.
        for key, after in sorted(
            listed.items(), key=lambda item: int(item[1]["metadata"]["resourceVersion"])
        ):
            before = self._known.get(key)
            if (
                before is None
                or before["metadata"]["resourceVersion"] != after["metadata"]["resourceVersion"]
            ):
                self._tell(before, after, authors.UNKNOWN_AUTHOR, "listed")

    def follow(self) -> None:
        """Watch until told to stop; a server that is away is waited for."""
        while not self._stop.is_set():
            try:
                for event in self._reader.watch(self._resource.path(), self._revision, _WATCH_SECONDS):
                    self._take(event)
                    if self._stop.is_set():
                        return
            # The watch is begun again from the same revision: nothing is lost while the server
            # still has it.
            except (EnvironmentProblem, OSError):
                # An event in place of sleep: the end of a run does not wait for the pause.
                self._stop.wait(_RETRY_SECONDS)
            except _MissedEvents:
                self._stop.wait(_RETRY_SECONDS)
                self._caught_up()

    def _caught_up(self) -> None:
        try:
            self.begin()
        except EnvironmentProblem:
            self._revision = ""

    def _take(self, event: Json) -> None:
        document, sort = event["object"], event["type"]
        if sort == "ERROR":
            # ERROR comes with 410 where the revision is too old to watch from; only a new list
            # helps.
            raise _MissedEvents
        # A bookmark has a revision and no object: it moves the start of the next watch on.
        self._revision = document["metadata"]["resourceVersion"]
        if sort == "BOOKMARK":
            return
        before = self._known.get(_key(document))
        if sort == "DELETED":
            # A DELETED event carries the last state, whose managedFields name the author before,
            # not who deleted.
            self._tell(before or document, None, authors.UNKNOWN_AUTHOR, "deleted", self._revision)
        else:
            self._tell(before, document, authors.author(before, document), sort.lower())

    def _tell(
        self, before: Json | None, after: Json | None, author: authors.Author, verb: str, revision: str = ""
    ) -> None:
        newest = after or before or {}
        key = _key(newest)
        if after is None:
            self._known.pop(key, None)
        else:
            self._known[key] = after
        self._heard(
            Change(
                revision=int(revision or newest["metadata"]["resourceVersion"]),
                at=author.at,
                actor=author.manager,
                verb=verb,
                kind=self._resource.kind,
                namespace=key[0],
                name=key[1],
                before=before,
                after=after,
                subresource=author.subresource,
            )
        )


class _MissedEvents(Exception):
    """Events were missed."""


def _key(document: Json) -> tuple[str, str]:
    return document["metadata"].get("namespace", ""), document["metadata"]["name"]
