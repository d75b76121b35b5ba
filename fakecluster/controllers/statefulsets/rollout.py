"""One look at the pods of a StatefulSet: what is missing is created, what is condemned goes, and pods of an
older revision are replaced from the last one down.

OrderedReady takes one step and waits until it is done; Parallel takes all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

from msgspec import Struct, structs

from ...api.status import StatusError
from ...api.steps import PAUSE, Steps
from ...base.json_types import Json
from ..pod_state import has_ended, is_available, is_deleted, is_ready, phase
from ..pod_writer import BURST
from . import identity, pods, status
from .pods import Replicas, SetRevisions, is_unavailable, revision_of
from .status import PodCounts
from .writer import StatefulPodControl

Item = TypeVar("Item")
LARGEST_BATCH = 500


class RolloutOutcome(Struct, frozen=True):
    """How the pods were counted, and the first refusal."""

    counts: PodCounts
    error: StatusError | None = None


class Rollout:
    """One look at a set at one moment."""

    def __init__(
        self, writer: StatefulPodControl, stateful_set: Json, template: SetRevisions, current_time: float
    ) -> None:
        self._writer = writer
        self._set = stateful_set
        self._template = template
        self._now = current_time
        self._min_ready = stateful_set["spec"].get("minReadySeconds", 0)
        self._is_ordered = stateful_set["spec"].get("podManagementPolicy") != "Parallel"

    def advance(self, replicas: Replicas) -> Steps[RolloutOutcome]:
        """Take the steps that are possible now."""
        names = self._template.current_name, self._template.update_name
        counts = status.count(replicas.every, self._min_ready, *names, self._now)
        # A set that goes takes its pods with it by their owner references.
        if is_deleted(self._set):
            return RolloutOutcome(counts)
        try:
            # Creating, removing and replacing in this order: a step begins when the one before has nothing
            # left to do.
            is_settled = yield from self._settle(replicas)
            if not is_settled:
                return RolloutOutcome(counts)
        except StatusError as error:
            return RolloutOutcome(counts, error)
        return (yield from self._update(replicas.in_range, counts))

    def _settle(self, replicas: Replicas) -> Steps[bool]:
        """Create what is missing and delete what is condemned; return whether nothing is left to wait for.

        Raises StatusError.
        """
        # From the first ordinal up, as the condemned are listed from the last down.
        first = next((pod for pod in reversed(replicas.condemned) if self._is_unavailable(pod)), None)
        return (
            (
                yield from self._for_all(
                    self._ordinals(replicas.in_range),
                    lambda ordinal: self._keep(ordinal, replicas.in_range.get(ordinal)),
                )
            )
            and (yield from self._for_all(replicas.condemned, self._hand_over_claims))
            and (yield from self._for_all(replicas.condemned, lambda pod: self._remove(pod, first)))
        )

    def _ordinals(self, in_range: dict[int, Json]) -> Iterator[int]:
        """Yield the ordinals to look at: those of all pods
        that there are, and BURST of those that are missing.
        """
        places = identity.ordinals(self._set)
        # One pod at a time: the first that is missing stops the rest.
        if self._is_ordered:
            return iter(places)
        missing = islice((ordinal for ordinal in places if ordinal not in in_range), BURST)
        return iter(sorted(chain(in_range, missing)))

    def _for_all(self, items: Iterable[Item], act: Callable[[Item], Steps[bool]]) -> Steps[bool]:
        """Act on items until one has to be waited for, in batches that double where none has to; return
        whether that was all.

        Raises StatusError.
        """
        # Slow start: a refusal such as of a quota meets few requests.
        waiting, size = iter(items), 1
        while batch := list(islice(waiting, 1 if self._is_ordered else size)):
            error: StatusError | None = None
            for item in batch:
                try:
                    is_done = yield from act(item)
                except StatusError as refusal:
                    error = error or refusal
                else:
                    if self._is_ordered and not is_done:
                        return False
            if error:
                raise error
            size = min(2 * size, LARGEST_BATCH)
            yield PAUSE
        return True

    def _keep(self, ordinal: int, pod: Json | None) -> Steps[bool]:
        """Create a pod, replace one that has ended, or repair it; return whether it is as it should be."""
        if pod is None:
            new = pods.new(self._template, ordinal)
            if not self._writer.has_stale_claim(new):
                yield from self._writer.create(new)
            return False
        # A pod that has ended is deleted first; its successor is made when it is gone, as they share a name.
        if has_ended(pod):
            if not is_deleted(pod):
                yield from self._writer.delete(pod)
            return False
        # A pending pod may wait for a claim that someone has deleted.
        if phase(pod) == "Pending":
            yield from self._writer.create_missing_claims(pod)
        if self._is_ordered and (self._is_unavailable(pod) or not self._is_running(pod)):
            return False
        yield from self._writer.repair(self._template.update, pod)
        return True

    def _hand_over_claims(self, pod: Json) -> Steps[bool]:
        """Give the claims of a condemned pod their owners."""
        if not self._writer.have_claims_policy_owners(self._template.update, pod):
            yield from self._writer.set_claim_owners(self._template.update, pod)
        return True

    def _remove(self, pod: Json, first_unavailable: Json | None) -> Steps[bool]:
        """Delete a condemned pod; in order one that is not
        available is waited for, unless it is the first such.
        """
        if is_deleted(pod):
            return False
        is_healthy = self._is_running(pod) and is_available(pod, self._min_ready, self._now)
        if self._is_ordered and not is_healthy and pod is not first_unavailable:
            return False
        yield from self._writer.delete(pod)
        return False

    def _update(self, in_range: dict[int, Json], counts: PodCounts) -> Steps[RolloutOutcome]:
        """Delete the last pod of an older revision, unless one after it is not available yet."""
        strategy = self._set["spec"].get("updateStrategy") or {}
        # The user deletes the pods; those that are made then have the new template.
        if strategy.get("type") == "OnDelete":
            return RolloutOutcome(counts)
        partition = int((strategy.get("rollingUpdate") or {}).get("partition") or 0)
        # From the last ordinal down, one pod at a time, and none below the partition.
        for ordinal in reversed(identity.ordinals(self._set)[partition:]):
            pod = in_range.get(ordinal)
            if pod is None:
                # A pod that is still missing is waited for: it will be made at the new revision.
                break
            if revision_of(pod) != self._template.update_name and not is_deleted(pod):
                try:
                    yield from self._writer.delete(pod)
                except StatusError as error:
                    return RolloutOutcome(counts, error)
                return RolloutOutcome(structs.replace(counts, current=counts.current - 1))
            if self._is_unavailable(pod):
                break
        return RolloutOutcome(counts)

    def _is_running(self, pod: Json) -> bool:
        return phase(pod) == "Running" and is_ready(pod)

    def _is_unavailable(self, pod: Json) -> bool:
        return is_unavailable(pod, self._min_ready, self._now)
