"""How a controller creates and deletes pods of an object: new ones in batches that double as long as none is
refused (FK-464, FK-471).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from ..api.status import StatusError
from ..api.steps import Steps
from ..base.json_types import Json
from ..store import Stored
from .actor import Actor
from .recorder import Recorder

PODS = ("", "pods")
BURST = 500
"""Pods that most controllers create or delete in one look at an object."""
NAMESPACE_TERMINATING = "NamespaceTerminating"


class BurstResult(Struct, frozen=True):
    """How many pods were created or deleted, and the first refusal."""

    number: int = 0
    error: StatusError | None = None


class PodWriter:
    """Creates and deletes pods, and records an Event about their owner for each pod."""

    def __init__(self, actor: Actor, recorder: Recorder) -> None:
        self._actor = actor
        self._recorder = recorder

    def create(self, owner: Json, pods: Iterable[Json]) -> Steps[BurstResult]:
        """Create pods: 1, 2, 4 and so on, until a batch has one that is refused."""
        waiting, number, size = iter(pods), 0, 1
        while batch := list(islice(waiting, size)):
            done = yield from self._create_all(owner, batch)
            number, size = number + done.number, 2 * size
            if done.error:
                return BurstResult(number, done.error)
        return BurstResult(number)

    def delete(self, owner: Json, pods: Iterable[Json]) -> Steps[BurstResult]:
        """Delete pods; those that are gone already count."""
        number, first = 0, None
        for pod in pods:
            try:
                yield from self._delete(owner, pod)
            except StatusError as error:
                first = first or error
            else:
                number += 1
        return BurstResult(number, first)

    def _create_all(self, owner: Json, batch: Iterable[Json]) -> Steps[BurstResult]:
        number, first = 0, None
        for pod in batch:
            try:
                yield from self._create(owner, pod)
            except StatusError as error:
                first = first or error
            else:
                number += 1
        return BurstResult(number, first)

    def _create(self, owner: Json, pod: Json) -> Steps[None]:
        """Create a pod.

        Raises StatusError, but for a namespace that is being deleted: every try would fail.
        """
        row = self._actor.kind("v1", "Pod")
        if row is None:
            return
        try:
            new = yield from self._actor.create(row, pod)
        except StatusError as error:
            if error.has_cause(NAMESPACE_TERMINATING):
                return
            yield from self._recorder.record(owner, "FailedCreate", f"Error creating: {error}", "Warning")
            raise
        yield from self._recorder.record(owner, "SuccessfulCreate", f"Created pod: {new['metadata']['name']}")

    def _delete(self, owner: Json, pod: Json) -> Steps[None]:
        current = self.current(pod)
        row = self._actor.kind("v1", "Pod")
        if row is None or current is None:
            return
        name = pod["metadata"]["name"]
        try:
            yield from self._actor.delete(row, current)
        except StatusError as error:
            if error.code == 404:
                return
            yield from self._recorder.record(owner, "FailedDelete", f"Error deleting: {error}", "Warning")
            raise
        yield from self._recorder.record(owner, "SuccessfulDelete", f"Deleted pod: {name}")

    def current(self, pod: Json) -> Stored | None:
        """Return the stored state of a pod, None when the pod was deleted."""
        metadata = pod["metadata"]
        stored = self._actor.api.store.get(PODS, (metadata["namespace"], metadata["name"]))
        return stored if stored is not None and stored.uid == metadata["uid"] else None
