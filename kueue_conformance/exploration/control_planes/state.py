"""The state of a cluster at rest, with what statements ask of it (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...base.json_types import Json
from ...base.numbers import moment
from ...base.objects import CheckState
from ...history.story import Change
from ...scenarios.dialect import Dialect
from ...scenarios.versions import has_since
from ...stage.workloads.view import WorkloadView
from .acts import Act
from .label_selectors import selects
from .pending_lists import PendingLists
from .snapshot import Snapshot

DRAINED = "HoldAndDrain"
STOPPED = ("Hold", DRAINED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """What is not allowed: the statement by a short name, the object, what is expected, and what it is."""

    statement: str
    name: str
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class State:
    """A snapshot, and that of the rest before it, with what is asked of it again and again."""

    snapshot: Snapshot
    before: Snapshot = field(default_factory=Snapshot)
    is_blocked: bool = False
    """Whether the configuration lets what fits wait for the pods of others (AC-255)."""
    has_lost_flavor: bool = False
    """Whether a reserved flavor has left its ClusterQueue: which checks are listed depends on when Kueue
    looks at the Workload next, also when the flavor has come back (C-03).
    """
    has_forgotten_quota: bool = False
    """Whether quota came free behind a LocalQueue that is stopped or gone: Kueue tries nothing that waits for
    it (BUG-166).
    """
    has_lowered_priority: bool = False
    """Whether the priority of a Workload with quota became lower: Kueue tries nothing then."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the release decides (`Dialect.facts`); a statement whose fact is absent is not judged."""
    time: float = 0.0
    """Seconds since the epoch."""
    since: float = 0.0
    """The time of the rest before."""
    acts: int = 0
    """How many acts there were since the rest before."""
    is_fair: bool = False
    """Whether the configuration has fair sharing."""
    dialect: Dialect | None = None
    changes: Sequence[Change] = ()
    """The writes of Kueue since the rest before, where one act at most was done and nothing interrupts."""
    single_act: Act | None = None
    """The act since the rest before, where there was one alone, which was done, and nothing interrupts."""

    lists: PendingLists = field(default_factory=dict)
    """The lists of pending Workloads, where they were read."""

    def holds(self, since: str) -> bool:
        """Tell whether the release, or that on which KEP-993 stands, is this one or a later one."""
        return self.dialect is not None and bool(has_since(self.dialect.stands_on, since))

    @property
    def is_kep(self) -> bool:
        """Whether KEP-993 decides about checks."""
        return self.dialect is not None and not self.dialect.is_release

    def local_queue(self, workload: WorkloadView) -> Json:
        """Return the LocalQueue of a Workload; an empty one where there is none."""
        return self.snapshot.get("LocalQueue", workload.object["spec"].get("queueName", ""))

    def queue_of(self, workload: WorkloadView) -> Json:
        """Return the ClusterQueue that a Workload waits for or has quota of; an empty one for none."""
        reserved = (workload.admission or {}).get("clusterQueue", "")
        named = self.local_queue(workload).get("spec", {}).get("clusterQueue", "")
        return self.snapshot.get("ClusterQueue", reserved or named)

    def offers_flavors_of(self, workload: WorkloadView) -> bool:
        """Tell whether the ClusterQueue of a Workload is there, and still has its flavors."""
        groups = self.queue_of(workload).get("spec", {}).get("resourceGroups") or ()
        offered = {flavor["name"] for group in groups for flavor in group["flavors"]}
        return bool(self.queue_of(workload)) and offered.issuperset(workload.flavors())

    def jobs_of(self, workload: WorkloadView) -> Iterator[Json]:
        """Yield the Jobs that a Workload belongs to, empty ones for those that are gone."""
        for owner in workload.object["metadata"].get("ownerReferences", ()):
            yield self.snapshot.get("Job", owner["name"])

    def has_pods(self, workload: WorkloadView) -> bool:
        """Tell whether the Job of a Workload has active pods."""
        return any(job.get("status", {}).get("active") for job in self.jobs_of(workload))

    def is_unchanged(self, kind: str, name: str) -> bool:
        """Tell whether an object was there at the rest before, and no user has changed it since."""
        before, current = self.before.get(kind, name), self.snapshot.get(kind, name)
        identities = [
            (stored["metadata"].get("generation"), stored["metadata"].get("uid"))
            for stored in (before, current)
            if stored
        ]
        return len(identities) == 2 and identities[0] == identities[1]

    def earlier(self, workload: WorkloadView) -> WorkloadView:
        """Return a Workload as it was at the rest before; an empty one where it was not there."""
        return WorkloadView(self.before.get("Workload", workload.object["metadata"]["name"]))

    def forgets_free_quota(self) -> bool:
        """Tell whether quota has come free since the rest before, behind a LocalQueue that is stopped, or in
        a Cohort that a ClusterQueue has left: Kueue tries what waits in its new Cohort alone.
        """
        if any(self._has_left_cohort(name) for name in self.before.objects["ClusterQueue"]):
            return True
        for earlier in self.before.workloads():
            current = WorkloadView(self.snapshot.get("Workload", earlier.object["metadata"]["name"]))
            has_ended = current.holds_nothing or current.is_true("Finished")
            if not earlier.holds_nothing and has_ended and not self.is_known(earlier):
                return True
        return False

    def _has_left_cohort(self, name: str) -> bool:
        cohorts = [
            snapshot.get("ClusterQueue", name).get("spec", {}).get("cohortName", "")
            for snapshot in (self.before, self.snapshot)
        ]
        holders = (item.admission or {} for item in self.before.workloads())
        is_used = any(admission.get("clusterQueue") == name for admission in holders)
        return bool(cohorts[0]) and cohorts[0] != cohorts[1] and is_used

    def has_lowered_priority_of_holder(self) -> bool:
        """Tell whether a Workload that has quota has a lower priority than at the rest before."""
        return any(
            workload.object["spec"].get("priority", 0)
            < self.earlier(workload).object["spec"].get("priority", 0)
            for workload in self.snapshot.workloads()
            if workload.admission and self.earlier(workload).object
        )

    def has_delay_without_queue(self) -> bool:
        """Tell whether a Workload has a delay and no LocalQueue: Kueue ends no delay then (C-23)."""
        return any(
            workload.status.get("requeueState", {}).get("requeueAt") and not self.local_queue(workload)
            for workload in self.snapshot.workloads()
        )

    def policies(self, workload: WorkloadView) -> tuple[str, str]:
        """Return the stopPolicy of its ClusterQueue and of its LocalQueue."""
        queues = self.queue_of(workload), self.local_queue(workload)
        cluster_queue, local_queue = (queue.get("spec", {}).get("stopPolicy", "None") for queue in queues)
        return cluster_queue, local_queue

    def is_known(self, workload: WorkloadView) -> bool:
        """Tell whether its LocalQueue is there and runs: through another one Kueue finds no ClusterQueue
        (AC-376).
        """
        return bool(self.local_queue(workload)) and self.policies(workload)[1] == "None"

    def is_drained(self, workload: WorkloadView) -> bool:
        """Tell whether a queue is drained that it holds quota through."""
        cluster_queue, local_queue = self.policies(workload)
        return local_queue == DRAINED or (cluster_queue == DRAINED and self.is_known(workload))

    def is_waiting(self, workload: WorkloadView) -> bool:
        """Tell whether a Workload waits for quota, and nothing but its turn and the quota keep it from that:
        its queues are Active, no delay runs, and no check is in the way.
        """
        queue = self.queue_of(workload)
        if not queue or not workload.holds_nothing or not workload.active or workload.is_true("Finished"):
            return False
        if any(policy in STOPPED for policy in self.policies(workload)) or self.is_delayed(workload):
            return False
        selector = queue["spec"].get("namespaceSelector")
        if is_deleted(queue) or not selects(selector, self.snapshot.namespace_labels()):
            return False
        # Some releases forget what was deactivated by a check and is activated again.
        if workload.condition("Requeued").get("reason", "").startswith("DeactivatedDueTo"):
            return False
        states = {entry.get("state") for entry in workload.checks.values()}
        actives = [active_of(stored).get("status") for stored in (queue, self.local_queue(workload))]
        return actives == ["True", "True"] and not states & {"Retry", "Rejected"}

    def is_delayed(self, workload: WorkloadView) -> bool:
        """Tell whether the delay of a Retry, or of pods that were not ready, is not over (AC-288, AC-315)."""
        at = workload.status.get("requeueState", {}).get("requeueAt")
        ends = [moment(str(at))] if at else []
        for entry in workload.checks.values():
            if entry.get("state") == "Retry":
                began = moment(str(entry.get("lastTransitionTime", "")))
                ends.append(began + max(self.least_delay(entry), int(entry.get("requeueAfterSeconds") or 0)))
        return any(end > self.time - DELAY_SECONDS for end in ends)

    def least_delay(self, entry: CheckState) -> float:
        """Return how many seconds KEP-993 keeps a Retry: for the delay of its check, or 15 minutes (AC-451,
        AC-480); 0 in releases.
        """
        if self.facts.get("retry-delay") != "immediate":
            return 0
        spec = self.snapshot.get("AdmissionCheck", str(entry.get("name", ""))).get("spec") or {}
        return 60 * int(spec.get("retryDelayMinutes", _KEP_DELAY_MINUTES))

    def required_checks(self, workload: WorkloadView) -> frozenset[str]:
        """Return the checks that its ClusterQueue requires for its flavors: none where pods request nothing
        that needs a flavor (AC-352).
        """
        strategy = self.queue_of(workload).get("spec", {}).get("admissionChecksStrategy") or {}
        flavors = set(workload.flavors())
        return frozenset(
            check["name"]
            for check in strategy.get("admissionChecks", ())
            if flavors & set(check.get("onFlavors") or flavors)
        )


_KEP_DELAY_MINUTES = 15
DELAY_SECONDS = 5.0
"""How long behind the end of a delay Kueue may take to see it."""


def is_deleted(stored: Json) -> bool:
    """Tell whether an object is being deleted."""
    return "deletionTimestamp" in stored["metadata"]


def active_of(stored: Json) -> Json:
    """Return the Active condition of a queue or check; an empty one where there is none."""
    conditions = (stored.get("status") or {}).get("conditions") or ()
    return next((condition for condition in conditions if condition["type"] == "Active"), {})
