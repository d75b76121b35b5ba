"""Wrong about whether a ClusterQueue is Active, what it says of it and since when (AC-405, AC-411…423)."""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queues import status
from reference_impl.kueue.queues.status import ACTIVE
from reference_impl.kueue.quota import problems
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.quota.problems import CheckStatus
from reference_impl.kueue.workload.conditions import Condition

from ...killing.planes import instead, wrong


@wrong((Catalogue, "problems"))
def overlooks_missing_flavors(right, *args):
    """Breaks AC-413: does not mind a flavor that is missing; ADM-100 must catch it."""
    return _without("FlavorNotFound", right(*args))


@wrong((Catalogue, "problems"))
def overlooks_missing_checks(right, *args):
    """Breaks AC-414: does not mind a check that is missing; ADM-101 must catch it."""
    return _without("AdmissionCheckNotFound", right(*args))


@wrong((Catalogue, "problems"))
def overlooks_inactive_checks(right, *args):
    """Breaks AC-415: does not mind a check that is not Active; ADM-101 must catch it."""
    return _without("AdmissionCheckInactive", right(*args))


@wrong((Catalogue, "problems"))
def overlooks_a_stop(right, *args):
    """Breaks AC-412: does not mind that it is stopped; ADM-327 should catch it."""
    return _without("Stopped", right(*args))


def _without(reason, problems):
    return tuple(problem for problem in problems if problem.reason != reason)


@wrong((Catalogue, "problems"))
def names_the_last_problem_first(right, *args):
    """Breaks AC-411: tells problems from the last to the first; ADM-323 may catch it."""
    return right(*args)[::-1]


@wrong((Catalogue, "problems"))
def names_one_problem(right, *args):
    """Breaks AC-411: tells the first of several problems only; ADM-323 may catch it."""
    return right(*args)[:1]


@wrong((problems, "flavor_missing"))
def minds_missing_flavors_only_if_all_are(right, spec, flavors, checks):
    """Breaks AC-413: minds missing flavors only when none of them is there; ADM-100 must catch it."""
    return None if any(name in flavors for name in spec.groups.flavors) else right(spec, flavors, checks)


@wrong((problems, "flavor_missing"))
def looks_for_the_first_flavor(right, spec, flavors, checks):
    """Breaks AC-413: looks for the first flavor only; ADM-100 must catch it."""
    return right(spec, flavors, checks) if next(iter(spec.groups.flavors), "") not in flavors else None


@wrong((problems, "check_missing"))
def minds_missing_checks_only_if_all_are(right, spec, flavors, checks):
    """Breaks AC-414: minds missing checks only when none of them is there; ADM-101 must catch it."""
    return None if any(rule.name in checks for rule in spec.checks) else right(spec, flavors, checks)


@wrong((problems, "check_missing"))
def looks_for_the_first_check(right, spec, flavors, checks):
    """Breaks AC-414: looks for the first check only; ADM-101 must catch it."""
    return right(replace(spec, checks=spec.checks[:1]), flavors, checks)


@wrong((problems, "check_missing"))
def looks_for_the_last_check(right, spec, flavors, checks):
    """Breaks AC-414: looks for the last check only; ADM-101 must catch it."""
    return right(replace(spec, checks=spec.checks[-1:]), flavors, checks)


@wrong((problems, "check_inactive"))
def asks_the_first_check_whether_it_is_active(right, spec, flavors, checks):
    """Breaks AC-415: asks the first check only whether it is Active; ADM-322[2-place] must catch it."""
    return right(replace(spec, checks=spec.checks[:1]), flavors, checks)


@wrong((problems, "check_inactive"))
def asks_the_last_check_whether_it_is_active(right, spec, flavors, checks):
    """Breaks AC-415: asks the last check only whether it is Active; ADM-322 must catch it."""
    return right(replace(spec, checks=spec.checks[-1:]), flavors, checks)


@wrong((problems, "check_inactive"))
def is_satisfied_with_one_active_check(right, spec, flavors, checks):
    """Breaks AC-415: one Active check is enough for a ClusterQueue; ADM-322 must catch it."""
    return (
        None
        if any(checks[rule.name].active for rule in spec.checks if rule.name in checks)
        else right(spec, flavors, checks)
    )


@wrong((problems, "check_inactive"))
def takes_missing_checks_for_inactive_too(right, spec, flavors, checks):
    """Breaks AC-415: names checks that are missing among those that are inactive; ADM-323 may catch it."""
    return right(
        spec,
        flavors,
        {rule.name: checks.get(rule.name, CheckStatus("", active=False)) for rule in spec.checks},
    )


@wrong((problems, "_join"))
def names_things_backwards(joined, names):
    """Breaks AC-423: names missing things from the last to the first; ADM-323 may catch it."""
    return ",".join(joined(names).split(",")[::-1])


@wrong((problems, "_join"))
def names_one_thing(joined, names):
    """Breaks AC-414: names the first of several that are missing; ADM-323 may catch it."""
    return joined(names).split(",")[0]


@wrong((status, "cluster_queue_active"))
def overlooks_its_own_deletion(active, catalogue, spec):
    """Breaks AC-421: a ClusterQueue that is being deleted says that it admits; ADM-327 should catch it."""
    return active(catalogue, replace(spec, is_deleting=False))


@wrong((status, "cluster_queue_active"))
def says_problems_before_its_deletion(active, catalogue, spec):
    """Breaks AC-421: a ClusterQueue that is being deleted
    says first that it is stopped; ADM-327 should catch it.
    """
    return active(
        catalogue, replace(spec, is_deleting=spec.is_deleting and not catalogue.problems(spec.name))
    )


@wrong((status, "cluster_queue_active"))
def is_never_inactive(active, catalogue, spec):
    """Breaks AC-411: says that every ClusterQueue is Active; ADM-101 must catch it."""
    return status.Condition(status.ACTIVE, True, "Ready", "Can admit new workloads")


instead(
    status,
    "CANNOT_ADMIT",
    "Cannot admit new workloads",
    called="says_cannot",
    says="Breaks AC-411: begins its message with other words; ADM-323 may catch it.",
)


@wrong((status, "_with"))
def moves_the_time_with_every_word(right, obj, condition, current_time):
    """Breaks AC-423: the time of Active moves with its reason; ADM-324 should catch it."""
    conditions = right(obj, condition, current_time)
    old = (obj.get("status") or {}).get("conditions") or ()
    changed = [item["reason"] for item in old] != [item["reason"] for item in conditions]
    return [
        {**condition, "lastTransitionTime": instants.render(current_time)} if changed else condition
        for condition in conditions
    ]


@wrong((status, "_with"))
def never_moves_the_time(right, obj, condition, current_time):
    """Breaks AC-423: the time of Active stays what it was at first; ADM-324 should catch it."""
    old = (obj.get("status") or {}).get("conditions") or ()
    conditions = right(obj, condition, current_time)
    return [{**conditions[0], "lastTransitionTime": old[0]["lastTransitionTime"]}] if old else conditions


@wrong((status, "_with"))
def speaks_of_no_generation(right, obj, condition, current_time):
    """Breaks AC-423: Active says nothing of the generation; ADM-324 should catch it."""
    return [
        {k: v for k, v in result_item.items() if k != "observedGeneration"}
        for result_item in right(obj, condition, current_time)
    ]


@wrong((status, "_with"))
def speaks_of_the_first_generation(right, obj, condition, current_time):
    """Breaks AC-423: Active speaks of the generation that
    it was first written for; ADM-324 should catch it.
    """
    return [{**result_item, "observedGeneration": 1} for result_item in right(obj, condition, current_time)]


@wrong((EventHandlers, "_requeue_referring"))
def tells_nobody_of_a_change(_, notes, names):
    """Breaks AC-405: does not look again at ClusterQueues whose checks change; ADM-101 must catch it."""


@wrong((status, "cluster_queue_active"))
def is_always_active(_, *args):
    """Breaks AC-411: says of every ClusterQueue that it can admit; ADM-094 must catch it."""
    return Condition(ACTIVE, True, "Ready", "Can admit new workloads")


@wrong((status, "cluster_queue_active"))
def never_says_that_it_terminates(right, catalogue, spec):
    """Breaks AC-421: does not say that a ClusterQueue is being deleted; ADM-086 must catch it."""
    return right(catalogue, replace(spec, is_deleting=False))


@wrong((status, "ignore_circle"))
def blames_flavors_for_a_circle(_, active, trees, spec):
    """Breaks QC-01: says of a ClusterQueue whose cohorts form a circle that it lacks a flavor;
    QUE-344 may catch it.
    """
    return Condition(ACTIVE, False, "FlavorNotFound", "") if trees.is_in_circle(spec.name) else active
