"""A running Kueue, which is brought into a scenario's states by users' actions.

The check controller is judged: the same scenarios run with `scripted_kueue` in Kueue's place, and a
difference between the two runs tells whether the check controller or Kueue is wrong (harness/N-13).
"""

from __future__ import annotations

from typing import Any

from ...case.context import CaseContext, within
from ...history.fact import Fact
from ..checks.check import Check
from ..queues.queue import Queue
from ..stage import Stage
from ..workloads.endings import finish
from ..workloads.release import MANAGER, released_manifest
from ..workloads.workload import Workload
from ..workloads.workload_set import WorkloadSet


class WorkingKueue:
    """Waits for Kueue's own steps; deactivates and activates Workloads to make it evict and reserve."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._context: CaseContext = stage.context
        self._client = stage.client
        self._alone: dict[str, Queue] = {}

    def precheck(self, queue: Queue, **spec: Any) -> Workload:
        """Submit a Workload and wait until Kueue has reserved quota and listed the checks."""
        workload = queue.submit(**spec)
        self._is_taken_in(workload, queue)
        return workload

    def precheck_for(self, workload: Workload, check: Check) -> None:
        """Submit the Workload to a queue of its own and wait until it is listed."""
        # Made once: a new queue has to become Active before it takes a Workload in.
        queue = self._alone.get(check.name) or self._stage.make_queue([check])
        self._alone[check.name] = queue
        queue.submit(cpu="1", name=workload.name)
        self._is_taken_in(workload, queue)

    def precheck_many(self, queue: Queue, number: int) -> WorkloadSet:
        """Submit so many Workloads that ask for little, and wait for the last of them."""
        members = [queue.submit(cpu="1m") for _ in range(number)]
        for member in members:
            self._is_taken_in(member, queue)
        return WorkloadSet(members)

    def recreate(self, workload: Workload, queue: Queue) -> None:
        """Delete a Workload, submit another one of its name and wait until Kueue has reserved quota and
        listed the checks.
        """
        workload.delete()
        queue.submit(cpu="1", name=workload.name)
        within("reserve", lambda: workload.is_prechecked() or workload.is_admitted())
        within("settle", lambda: workload.lists_checks(*queue.checks))

    def list_checks(self, workload: Workload, *checks: Check) -> None:
        """Let the queue of a Workload require these checks, and wait until they are listed."""
        self._queue_of(workload).set_checks(*checks)
        within("settle", lambda: workload.lists_checks(*checks))

    def admit(self, workload: Workload) -> None:
        """Wait until Kueue has admitted it."""
        within("admit", workload.is_admitted)

    def evict(self, workload: Workload, reason: str = "") -> None:
        """Wait for the eviction that a verdict caused;
        else deactivate the Workload, with or without an admission (AC-291).
        """
        del reason  # Kueue has its own.
        # A verdict evicts by itself; a second cause would be reported as the reason.
        if not _is_sent_back(workload):
            workload.deactivate()
        within("evict", workload.is_evicted)

    def release(self, workload: Workload) -> None:
        """Give the quota back, as the job integration does when the pods are gone."""
        # Another name and no act of the scenario: it plays Kueue's part, and is judged with it.
        integration = self._client.with_agent("job-stand-in", reports_writes=False)
        integration.apply(released_manifest(workload.object, self._context), manager=MANAGER, sub="status")

    def evict_and_release(self, workload: Workload, reason: str = "") -> None:
        """Evict a Workload whose pods are gone at once."""
        self.evict(workload, reason)
        self.release(workload)

    def requeue(self, workload: Workload) -> None:
        """Evict a Workload, give its quota back and let it be reserved anew."""
        self.evict_and_release(workload)
        self.reserve(workload)

    def deactivate(self, workload: Workload) -> None:
        """Wait until Kueue has deactivated a Workload that a check has rejected, and give its quota back."""
        within("evict", workload.is_inactive)
        self.evict_and_release(workload)

    def reserve(self, workload: Workload) -> None:
        """Activate the Workload and its LocalQueue again where
        they were stopped, and wait until quota is reserved.
        """
        if workload.is_inactive():
            workload.reactivate()
        self._queue_of(workload).resume_local()
        within("requeue", lambda: workload.is_prechecked() or workload.is_admitted())

    def cancel_reservation(self, workload: Workload) -> None:
        """Stop the LocalQueue for new admissions;
        a reservation that is no admission yet is cancelled (AC-254).
        """
        self._queue_of(workload).hold_local()
        within("settle", workload.is_suspended)

    def finish(self, workload: Workload, *, well: bool = True) -> None:
        """Declare the work done, well or not, as the job integration does."""
        finish(self._context, workload.namespace, workload.name, well=well)
        within("settle", workload.is_finished)

    def _is_taken_in(self, workload: Workload, queue: Queue) -> None:
        # Ever, not now: a quick subject may have sent the Workload back already.
        within("reserve", lambda: workload.was_ever("QuotaReserved"))
        within("settle", lambda: workload.lists_checks(*queue.checks))

    def _queue_of(self, workload: Workload) -> Queue:
        name = workload.object["spec"]["queueName"]
        return Queue(self._context, self._stage.names, name, workload.namespace, (), ())


def _is_sent_back(workload: Workload) -> Fact:
    """It is evicted, or a verdict says that it will be."""
    entries = (workload.object.get("status") or {}).get("admissionChecks", [])
    verdicts = [entry["state"] for entry in entries if entry["state"] in ("Retry", "Rejected")]
    return Fact(
        bool(verdicts) or bool(workload.is_evicted()), f"{workload} is sent back", f"verdicts {verdicts}"
    )
