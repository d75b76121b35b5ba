"""What KEP-993 alone says: the delays of checks, and preemptions that wait for checks (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.numbers import moment
from ....stage.workloads.view import WorkloadView
from ..acts import Verb
from ..state import DELAY_SECONDS, Contradiction, State
from .workload_write import WorkloadWrite

_WAITING = "; waiting for "
_AFTER = "AfterCheckPassedOrOnDemand"
_REQUESTS = ("PreemptionRequired", "BookQuotaRequired")
"""Reasons by which a check that is Pending asks for the preemptions (AC-444, AC-462)."""


def kep_holds(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """While a check says Retry its Workload holds no quota, and the check says so no longer than its delay
    (AC-451, AC-478).
    """
    if not state.is_kep or state.has_pods(workload):
        return
    for name, entry in workload.checks.items():
        if entry.get("state") != "Retry" or not workload.active:
            continue
        if not workload.holds_nothing:
            yield f"it holds no quota while the check {name} says Retry (AC-478)", "it holds quota"
        end = moment(str(entry.get("lastTransitionTime", ""))) + state.least_delay({**entry, "name": name})
        # A check that is no longer required may go, and says nothing any more.
        is_there = bool(state.snapshot.get("AdmissionCheck", name))
        if is_there and state.time > end + DELAY_SECONDS and state.is_known(workload):
            yield f"the check {name} is Pending behind its delay (AC-451)", "it is Retry"


def kep_preemptions(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Preemptions are issued when no check holds them back, or one asks for them (AC-443)."""
    if not state.is_kep or _WAITING not in workload.condition("QuotaReserved").get("message", ""):
        return
    # Quota of victims comes free when their pods have ended.
    is_stopping = any(map(state.has_pods, state.snapshot.workloads()))
    if workload.is_true("QuotaReserved") and not is_stopping and not _is_held_back(state, workload):
        yield "its preemptions are issued, and its victims have left (AC-443)", "it waits for them"


def _is_held_back(state: State, workload: WorkloadView) -> bool:
    """Tell whether a check has the preemptions wait: a policy that is not known does as well (AC-488)."""
    entries = workload.checks
    if any(
        entry.get("state") == "Pending" and entry.get("reason") in _REQUESTS for entry in entries.values()
    ):
        return False
    return any(
        entry.get("state") != "Ready" and _policy(state, name) == _AFTER for name, entry in entries.items()
    )


def _policy(state: State, check: str) -> str:
    stored = state.snapshot.get("AdmissionCheck", check)
    return str(stored["spec"].get("preemptionPolicy", "Anytime")) if stored else _AFTER


def kep_delays(write: WorkloadWrite) -> Iterator[tuple[str, str]]:
    """A check says Retry until its delay is over, whatever other checks say (AC-451, AC-478, AC-481)."""
    if not write.state.is_kep or write.is_eviction or not write.after.active:
        return
    for name, old in write.before.checks.items():
        new = write.after.checks.get(name)
        if old.get("state") != "Retry" or new is None or new.get("state") != "Pending":
            continue
        delay = write.state.least_delay({**old, "name": name})
        passed = write.time - moment(str(old.get("lastTransitionTime", "")))
        if passed < delay - 1:
            yield f"the check {name} says Retry for {delay:.0f} s (AC-451)", f"it did for {passed:.0f} s"


def kep_victims(state: State) -> Iterator[Contradiction]:
    """Yield preemptions for a Workload that was just submitted, and whose checks hold them back (AC-443)."""
    if not state.is_kep or state.single_act is None or state.single_act.verb is not Verb.SUBMIT:
        return
    for workload in state.snapshot.workloads():
        is_new = not state.earlier(workload).object
        if not is_new or not workload.is_true("QuotaReserved") or not _is_held_back(state, workload):
            continue
        # The message of a preemption has the UID of the preemptor.
        uid = str(workload.object["metadata"]["uid"])
        for change in state.changes:
            after = WorkloadView(change.after or {}) if change.kind == "Workload" else WorkloadView({})
            if f"UID: {uid}" in after.condition("Preempted").get("message", ""):
                yield Contradiction(
                    statement="kep-victims",
                    name=f"Workload {change.name}",
                    expected="it stays until the checks of its preemptor have passed (AC-443)",
                    observed="it is preempted",
                )
