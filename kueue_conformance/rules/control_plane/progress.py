"""At quiet every waiting object has a reason to wait: verdicts are followed, and each Workload and Job is
where its conditions say (AC-285…292, AC-333…335, AC-357, AC-384).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from ...base.json_types import Json
from ...base.numbers import moment
from ..story import Finding, SafetyRule, Story
from ..workload import (
    admission,
    awaits_victims,
    conditions,
    entries,
    flavors,
    is_active,
    is_true,
    job_status,
    workload_status,
)
from .checks import required_checks, undecided_admissions, unlisted_checks
from .quiet_states import QuietState, flavors_of_queue, last_rest
from .quota import holds

_Owes: TypeAlias = Callable[[QuietState, Json], str]
"""Returns the step that Kueue owes a Workload at quiet, empty where there is none."""
_GATE = "kueue.x-k8s.io/admission-gated-by"
_MOST_CHECKS = 8
"""Checks that a Workload can list (AC-116)."""


def _rule_of_due_steps(owes: _Owes) -> Callable[[Story], Iterator[Finding]]:
    """Return a rule that reports steps owed at the end of the story:
    before that Kueue may have been away for a while.

    A write that was refused may be tried again later.
    """

    def judge(story: Story) -> Iterator[Finding]:
        refused = {
            (attempt.namespace, attempt.name) for attempt in story.attempts if attempt.kind == "Workload"
        }
        # The last one only: before that a scenario may have stopped Kueue.
        rest = last_rest(story)
        if rest is None:
            return
        for change, workload in rest.all("Workload"):
            leaves = workload["metadata"].get("deletionTimestamp")
            if (
                # A refused write is tried again with a back-off, which may be longer than the
                # case.
                (change.namespace, change.name) not in refused
                and not leaves
                and (text := owes(rest, workload))
            ):
                yield change, text

    return judge


def _backs_off(rest: QuietState, workload: Json) -> bool:
    """Tell whether a time is still to come before which nothing is decided (AC-322)."""
    due = (workload_status(workload).get("requeueState") or {}).get("requeueAt")
    # requeueAt has whole seconds.
    return moment(due) > rest.at - 1 if due else False


def _verdicts_count(rest: QuietState, workload: Json) -> bool:
    """Tell whether verdicts on a Workload count now: it holds quota, and neither leaves it nor backs off."""
    return holds(workload) and not is_true(workload, "Evicted") and not _backs_off(rest, workload)


def _states(workload: Json) -> Mapping[str, str]:
    return {name: entry.get("state", "") for name, entry in entries(workload).items()}


def _missing_admission(rest: QuietState, workload: Json) -> str:
    queue = rest.of("ClusterQueue", admission(workload).get("clusterQueue", ""))
    if (
        not _verdicts_count(rest, workload)
        or is_true(workload, "Admitted")
        or awaits_victims(workload)
        or queue is None
    ):
        return ""
    states, required_names = _states(workload), required_checks(queue, flavors(workload))
    # Exactly the required ones: a list that is out of step is judged by AC-384.
    passed = required_names == states.keys() and all(state == "Ready" for state in states.values())
    return "has quota, every check of it is Ready, and it is not Admitted" if passed else ""


def _unheeded_verdict(state: str) -> _Owes:
    def owes(rest: QuietState, workload: Json) -> str:
        names = [name for name, check_state in _states(workload).items() if check_state == state]
        return (
            f"{', '.join(names)} says {state}, and it keeps its quota"
            if names and _verdicts_count(rest, workload)
            else ""
        )

    return owes


def _out_of_step(rest: QuietState, workload: Json) -> str:
    """Say which entries are missing or too many; where queues are missing or stopped, or it is inactive,
    nothing is owed (AC-376).
    """
    local, queue = rest.queues(workload)
    if (
        local is None
        or queue is None
        or is_true(workload, "Finished")
        or not is_active(workload)
        or _backs_off(rest, workload)
    ):
        return ""
    gate = (workload["metadata"].get("annotations") or {}).get(_GATE)
    if (local["spec"].get("stopPolicy") or "None") != "None" or gate:
        return ""
    every, listed = flavors_of_queue(queue), entries(workload).keys()
    if admission(workload):
        required_names = required_checks(queue, flavors(workload))
        possible_names = {required_names}
    else:
        required_names = always_required(queue, every)
        # Other flavors of a queue have Kueue look at no Workload that waits (AC-328).
        former_sets = rest.flavor_sets[queue["metadata"]["name"]]
        possible_names = {always_required(queue, former) for former in former_sets}
    # More checks than the list may hold cannot be listed (AC-116).
    too_many = len(required_names) > _MOST_CHECKS
    if frozenset(listed) in possible_names or too_many or not flavors(workload) <= every:
        return ""
    return f"lists {', '.join(sorted(listed)) or 'no check'}, and {', '.join(sorted(required_names)) or 'none'} is required"


def always_required(queue: Json, every: frozenset[str]) -> frozenset[str]:
    """Return the checks that a ClusterQueue with these flavors requires whichever are assigned (AC-350)."""
    rules = (queue["spec"].get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    return frozenset(rule["name"] for rule in rules if every <= (set(rule.get("onFlavors") or ()) or every))


def _still_active(_: QuietState, workload: Json) -> str:
    return (
        "is to be deactivated, and is active"
        if is_true(workload, "DeactivationTarget") and is_active(workload)
        else ""
    )


def _not_released(rest: QuietState, workload: Json) -> str:
    job = rest.job(workload)
    if (
        job is None
        or not is_true(workload, "Evicted")
        or not is_true(workload, "QuotaReserved")
        or is_true(workload, "Finished")
    ):
        return ""
    return (
        ""
        # Quota is kept while pods run (AC-332).
        if job_status(job).get("active")
        else "is evicted, its Job has no pods, and it holds its quota"
    )


def _not_started(rest: QuietState, workload: Json) -> str:
    job = rest.job(workload)
    if (
        job is None
        or not holds(workload)
        or not is_true(workload, "Admitted")
        or is_true(workload, "Evicted")
    ):
        return ""
    latest = rest.newest["Workload", workload["metadata"]["namespace"], workload["metadata"]["name"]].revision
    flavor_changes = (rest.newest.get(("ResourceFlavor", "", name)) for name in flavors(workload))
    there = all(
        # A flavor that is missing, or came later, keeps the Job from its start.
        flavor_change is not None and flavor_change.after and flavor_change.revision < latest
        for flavor_change in flavor_changes
    )
    return "is Admitted, and its Job is suspended" if there and job["spec"].get("suspend") else ""


def _not_stopped(rest: QuietState, workload: Json) -> str:
    job = rest.job(workload)
    if job is None or is_true(workload, "Finished") or is_true(workload, "Admitted"):
        return ""
    return "" if job["spec"].get("suspend") else "is not Admitted, and its Job runs"


def _not_requeued(rest: QuietState, workload: Json) -> str:
    """Say that a back-off is over and the Workload is not let back into the queue."""
    condition = conditions(workload).get("Requeued", {})
    if condition.get("status") != "False" or condition.get("reason") not in (
        "AdmissionCheck",
        "PodsReadyTimeout",
    ):
        return ""
    over = is_active(workload) and not is_true(workload, "Finished") and not _backs_off(rest, workload)
    return (
        "its back-off is over, and it is not requeued"
        if over and not is_true(workload, "QuotaReserved")
        else ""
    )


def _any_of(*rules: Callable[[Story], Iterator[Finding]]) -> Callable[[Story], Iterator[Finding]]:
    """Return a rule that is broken where one of some is."""
    return lambda story: (finding for rule in rules for finding in rule(story))


runs_unadmitted = _rule_of_due_steps(_not_stopped)
"""Reports Workloads whose Job runs although they are not Admitted (AC-335)."""
PROGRESS = (
    SafetyRule(
        "AC-285",
        "admits a Workload when quota is reserved and every listed check is Ready, and not before",
        _any_of(undecided_admissions, _rule_of_due_steps(_missing_admission)),
    ),
    SafetyRule(
        "AC-290",
        "completes an eviction: releases quota when pods have ended, and requeues the Workload when its back-off is over",
        _any_of(
            *map(
                _rule_of_due_steps,
                (
                    _unheeded_verdict("Retry"),
                    _unheeded_verdict("Rejected"),
                    _still_active,
                    _not_released,
                    _not_requeued,
                ),
            )
        ),
        since="0.9",
    ),
    SafetyRule("AC-333", "lets the Job of an admitted Workload run", _rule_of_due_steps(_not_started)),
    SafetyRule(
        "AC-384",
        "lists every check that its ClusterQueue requires and no other, and admits no Workload before",
        _any_of(unlisted_checks, _rule_of_due_steps(_out_of_step)),
    ),
)
