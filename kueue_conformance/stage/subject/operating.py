"""Operates a subject: kills, stops and starts it, and adds a second replica (harness/H-43, H-59)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from ...base.errors import Nonconformance
from ...case.context import CaseContext
from ...case.failure_text import explain
from ...history.fact import Fact, forbid_act
from ...history.story import Request
from ...subject.replica import Replica
from ...subject.running_subject import RunningSubject
from .rights import Rights


class SubjectReplicas(Rights):
    """Operations on the subject's replicas. Without a name they act on the oldest replica."""

    def __init__(self, context: CaseContext, running: RunningSubject) -> None:
        super().__init__(context)
        self._running = running
        self.rules = running.rbac
        self._stopped_in_time = False

    def kill(self, replica: Replica | None = None) -> None:
        """Kill it, as SIGKILL does; its later requests are refused."""
        forbid_act()
        (replica or self._running.up[0]).dies(self._context.cluster)

    def stop(self, replica: Replica | None = None) -> None:
        """Stop it, as SIGTERM does, and kill it when the budget `stop` is over."""
        forbid_act()
        self._stopped_in_time = (replica or self._running.up[0]).stops(self._context.budgets.seconds("stop"))

    def was_stopped_in_time(self) -> Fact:
        """The replica that was stopped last ended within the seconds of the budget `stop`."""
        seconds = self._context.budgets.seconds("stop")
        return Fact(
            self._stopped_in_time,
            "the subject ends when it is asked to",
            f"it had to be killed after {seconds:g} s",
        )

    def start(self) -> Replica:
        """Start it, and return when it is ready. Raises SubjectDied."""
        forbid_act()
        return self._running.start(self._context.cluster)

    def leader(self) -> Replica:
        """Return the replica that wrote last. Raises Nonconformance when none of those that run did."""
        wrote = [request.replica for request in self.requests if request.writes and request.kind]
        leaders = [replica for replica in self._running.up if wrote and replica.number == wrote[-1]]
        if not leaders:
            last = f"the last write was by replica {wrote[-1]}" if wrote else "none has written"
            not_leading = Fact(False, "a replica that runs was the last one to write", last)
            raise Nonconformance(explain(self._context, "", not_leading, "when its leader was asked for"))
        return leaders[0]

    def start_second(self) -> Replica:
        """Start a second replica beside the first; which of them acts is theirs to settle."""
        forbid_act()
        return self._running.begin(self._context.cluster)

    def has_lease(self, replica: Replica | None = None) -> Fact:
        """The subject, or one replica of it, has renewed its Lease, which identifies the Lease."""
        renewals = [
            renewal for renewal in self._renewals() if replica is None or renewal.replica == replica.number
        ]
        return Fact(bool(renewals), "the subject renews a lease", f"{len(renewals)} time(s)")

    def take_lease_away(self) -> None:
        """Write another holder into the lease of the subject, for a day."""
        renewal = self._renewals()[-1]
        path = f"/apis/{renewal.group}/v1/namespaces/{renewal.namespace}/{renewal.resource}/{renewal.name}"
        current_time = datetime.fromtimestamp(self._context.cluster.now(), UTC).strftime(
            "%Y-%m-%dT%H:%M:%S.%fZ"
        )
        taken = {
            "holderIdentity": "another-replica",
            "leaseDurationSeconds": 86400,
            "acquireTime": current_time,
            "renewTime": current_time,
        }
        self._context.client.call("PATCH", path, {"spec": taken}, media="application/merge-patch+json")

    def _renewals(self) -> list[Request]:
        return [
            request
            for request in self.requests
            if request.writes and request.resource == "leases" and request.name and request.code < 300
        ]

    @contextmanager
    def delay_start(self) -> Iterator[None]:
        """Run a block before the subject is started."""
        for replica in self._running.up:
            self.stop(replica)
        yield
        self.start()
