"""Wrong about the list of checks in ways that no scenario
looks at (AC-116, AC-118, AC-119, AC-285, AC-345, AC-384).
"""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.workload import admitted, verdicts

from ...killing.planes import wrong

SEEN = set()
"""The Workloads that a program of many tries has met:
uids come again in another seed, names in another cluster.
"""


def at_first(decision, workload, nonsense):
    """Return a decision to list checks with nonsense in it the first time that it is taken for a Workload."""
    if decision is None or (nonsense, workload.uid, workload.key) in SEEN:
        return decision
    SEEN.add((nonsense, workload.uid, workload.key))
    status = decision.write.status
    listed = nonsense(status.get("admissionChecks", []))
    return replace(decision, write=replace(decision.write, status={**status, "admissionChecks": listed}))


@wrong((verdicts, "sync_checks"))
def lists_checks_twice_at_first(sync_checks, workload, *args):
    """Breaks AC-116: lists every check twice, and once when
    that was refused; rule AC-116 in ADM-201 must catch it.
    """
    return at_first(sync_checks(workload, *args), workload, twice)


def twice(listed):
    return [*listed, *listed]


@wrong((verdicts, "sync_checks"))
def has_a_state_of_its_own_at_first(sync_checks, workload, *args):
    """Breaks AC-118: lists checks as Unknown, and as Pending when that was refused; rule AC-118 in ADM-201
    must catch it.
    """
    return at_first(sync_checks(workload, *args), workload, unknown)


def unknown(listed):
    return [{**entry, "state": "Unknown"} for entry in listed]


@wrong((verdicts, "sync_checks"))
def lists_checks_without_a_time_at_first(sync_checks, workload, *args):
    """Breaks AC-119: lists checks without lastTransitionTime, and with one when that was refused; rule AC-119
    in ADM-201 must catch it.
    """
    return at_first(sync_checks(workload, *args), workload, timeless)


def timeless(listed):
    return [
        {name: value for name, value in entry.items() if name != "lastTransitionTime"} for entry in listed
    ]


@wrong((Checks, "sync"))
def renews_the_times_of_all_entries(synced, checks, required, current_time):
    """Breaks AC-119: gives every entry a new time when it adds or drops one;
    rule AC-119 in ADM-012 must catch it.
    """
    new = synced(checks, required, current_time)
    if new is checks:
        return checks
    return Checks(
        tuple({**entry, "lastTransitionTime": instants.render(current_time + 1)} for entry in new.entries)
    )


@wrong((Checks, "are_all_ready"))
def admits_when_some_check_has_passed(_, checks):
    """Breaks AC-285: admits as soon as one check has passed; rule AC-285 in
    ADM-048[Ready-2-checks-job] must catch it.
    """
    return not checks.entries or any(entry["state"] == "Ready" for entry in checks.entries)


@wrong((Checks, "reset"))
def counts_a_retry_twice(reset, checks, current_time):
    """Breaks AC-345: counts each retry twice; rule AC-345 in ADM-040 should catch it."""
    counted = reset(checks, current_time)
    return Checks(
        tuple(
            {**entry, "retryCount": entry["retryCount"] * 2} if "retryCount" in entry else entry
            for entry in counted.entries
        )
    )


@wrong((reservation, "reserve"))
def does_not_look_what_its_flavors_require(reserved, workload, assignment, spec, rules, current_time, *rest):
    """Breaks AC-384: admits by the list of before the reservation; rule AC-384 in ADM-004 must catch it."""
    return admitted.sync(reserved(workload, assignment, spec, rules, current_time, *rest), rules)
