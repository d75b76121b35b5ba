"""Wrong about queues: whether they are Active and what they say, what may be deleted, what is counted (AC-400…438, AC-049, AC-075)."""

from dataclasses import replace

from reference_impl import instants
from reference_impl.api.kinds import CLUSTER_QUEUES
from reference_impl.queueing.notes import Notes
from reference_impl.queues import finalizers, status
from reference_impl.queues.cluster_queues import ClusterQueues
from reference_impl.queues.in_use import InUse
from reference_impl.queues.local_queues import LocalQueues
from reference_impl.quota import problems
from reference_impl.quota.catalogue import Catalogue
from reference_impl.quota.problems import Check

from ..killing.planes import instead, wrong


@wrong((Catalogue, "problems"))
def overlooks_missing_flavors(found, *args):
    """Breaks AC-413: does not mind a flavor that is missing; ADM-100 should catch it."""
    return _without("FlavorNotFound", found(*args))


@wrong((Catalogue, "problems"))
def overlooks_missing_checks(found, *args):
    """Breaks AC-414: does not mind a check that is missing; ADM-101 must catch it."""
    return _without("AdmissionCheckNotFound", found(*args))


@wrong((Catalogue, "problems"))
def overlooks_inactive_checks(found, *args):
    """Breaks AC-415: does not mind a check that is not Active; ADM-101 must catch it."""
    return _without("AdmissionCheckInactive", found(*args))


@wrong((Catalogue, "problems"))
def overlooks_a_stop(found, *args):
    """Breaks AC-412: does not mind that it is stopped; ADM-327 should catch it."""
    return _without("Stopped", found(*args))


def _without(reason, found):
    return tuple(one for one in found if one.reason != reason)


@wrong((Catalogue, "problems"))
def names_the_last_problem_first(found, *args):
    """Breaks AC-411: tells problems from the last to the first; ADM-323 may catch it."""
    return found(*args)[::-1]


@wrong((Catalogue, "problems"))
def names_one_problem(found, *args):
    """Breaks AC-411: tells the first of several problems only; ADM-323 may catch it."""
    return found(*args)[:1]


@wrong((problems, "flavor_missing"))
def minds_missing_flavors_only_if_all_are(right, spec, flavors, checks):
    """Breaks AC-413: minds missing flavors only when none of them is there; ADM-100 should catch it."""
    return None if any(name in flavors for name in spec.groups.flavors) else right(spec, flavors, checks)


@wrong((problems, "flavor_missing"))
def looks_for_the_first_flavor(right, spec, flavors, checks):
    """Breaks AC-413: looks for the first flavor only; ADM-100 should catch it."""
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
    """Breaks AC-415: asks the first check only whether it is Active; ADM-322 must catch it."""
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
        spec, flavors, {rule.name: checks.get(rule.name, Check("", active=False)) for rule in spec.checks}
    )


@wrong((problems, "_joined"))
def names_things_backwards(joined, names):
    """Breaks AC-423: names what is missing from the last to the first; ADM-323 may catch it."""
    return ",".join(joined(names).split(",")[::-1])


@wrong((problems, "_joined"))
def names_one_thing(joined, names):
    """Breaks AC-414: names the first of several that are missing; ADM-323 may catch it."""
    return joined(names).split(",")[0]


@wrong((status, "cluster_queue_active"))
def overlooks_its_own_deletion(active, catalogue, spec):
    """Breaks AC-421: a ClusterQueue that is being deleted says that it admits; ADM-327 should catch it."""
    return active(catalogue, replace(spec, deleting=False))


@wrong((status, "cluster_queue_active"))
def says_problems_before_its_deletion(active, catalogue, spec):
    """Breaks AC-421: a ClusterQueue that is being deleted says first that it is stopped; ADM-327 should catch it."""
    return active(catalogue, replace(spec, deleting=spec.deleting and not catalogue.problems(spec.name)))


@wrong((status, "cluster_queue_active"))
def is_never_inactive(active, catalogue, spec):
    """Breaks AC-411: says that every ClusterQueue is Active; ADM-101 must catch it."""
    return status.Condition(status.ACTIVE, True, "Ready", "Can admit new workloads")


instead(
    status, "CANNOT_ADMIT", "Cannot admit new workloads", called="says_cannot",
    says="Breaks AC-411: begins its message with other words; ADM-323 may catch it.",
)  # fmt: skip
instead(
    status, "CANNOT_SUBMIT", "Cannot submit new workloads", called="says_cannot_submit",
    says="Breaks AC-436: tells users in other words that they cannot submit; ADM-326 may catch it.",
)  # fmt: skip


@wrong((status, "local_queue_active"))
def stops_no_local_queue(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of its stop policy; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"}, *args)


@wrong((status, "local_queue_active"))
def stops_local_queues_for_hold_only(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of HoldAndDrain; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"} if spec.get("stopPolicy") == "HoldAndDrain" else spec, *args)


@wrong((status, "local_queue_active"))
def stops_local_queues_for_drain_only(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of Hold; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"} if spec.get("stopPolicy") == "Hold" else spec, *args)


@wrong((status, "local_queue_active"))
def speaks_of_the_cluster_queue_first(active, spec, cluster_queue, *args):
    """Breaks AC-435: a stopped LocalQueue says that it has no ClusterQueue; ADM-325 should catch it."""
    running = active({**spec, "stopPolicy": "None"}, cluster_queue, *args)
    return running if not running.status else active(spec, cluster_queue, *args)


@wrong((status, "local_queue_active"))
def needs_no_cluster_queue(active, spec, cluster_queue, *args):
    """Breaks AC-436: a LocalQueue without a ClusterQueue says that this is inactive; ADM-106 should catch it."""
    return active(spec, cluster_queue or {}, *args)


@wrong((status, "local_queue_active"))
def takes_inactive_cluster_queues(active, spec, cluster_queue, *args):
    """Breaks AC-438: a LocalQueue is Active whenever its ClusterQueue exists; ADM-106 should catch it."""
    there = {"status": {"conditions": [{"type": "Active", "status": "True"}]}}
    return active(spec, cluster_queue and there, *args)


@wrong((status, "local_queue_active"))
def takes_any_condition_for_active(active, spec, cluster_queue, *args):
    """Breaks AC-438: a LocalQueue is Active whenever its ClusterQueue says something; ADM-106 should catch it."""
    said = ((cluster_queue or {}).get("status") or {}).get("conditions") or ()
    changed = [{**one, "status": "True"} for one in said]
    return active(spec, cluster_queue and {**cluster_queue, "status": {"conditions": changed}}, *args)


@wrong((status, "_with"))
def moves_the_time_with_every_word(right, obj, condition, now):
    """Breaks AC-423: the time of Active moves with its reason; ADM-324 should catch it."""
    said = right(obj, condition, now)
    old = (obj.get("status") or {}).get("conditions") or ()
    changed = [one["reason"] for one in old] != [one["reason"] for one in said]
    return [{**one, "lastTransitionTime": instants.render(now)} if changed else one for one in said]


@wrong((status, "_with"))
def never_moves_the_time(right, obj, condition, now):
    """Breaks AC-423: the time of Active stays what it was at first; ADM-324 should catch it."""
    old = (obj.get("status") or {}).get("conditions") or ()
    said = right(obj, condition, now)
    return [{**said[0], "lastTransitionTime": old[0]["lastTransitionTime"]}] if old else said


@wrong((status, "_with"))
def speaks_of_no_generation(right, obj, condition, now):
    """Breaks AC-423: Active says nothing of the generation; ADM-324 should catch it."""
    return [{k: v for k, v in one.items() if k != "observedGeneration"} for one in right(obj, condition, now)]


@wrong((status, "_with"))
def speaks_of_the_first_generation(right, obj, condition, now):
    """Breaks AC-423: Active speaks of the generation that it was first written for; ADM-324 should catch it."""
    return [{**one, "observedGeneration": 1} for one in right(obj, condition, now)]


@wrong((status, "cluster_queue_status"))
def tells_usage_as_reservation(told, *args):
    """Breaks AC-049: tells what is admitted as what is reserved; ADM-108 should catch it."""
    found = told(*args)
    return {**found, "flavorsReservation": found["flavorsUsage"]}


@wrong((status, "cluster_queue_status"))
def tells_reservation_as_usage(told, *args):
    """Breaks AC-049: tells what is reserved as what is used; ADM-108 should catch it."""
    found = told(*args)
    return {**found, "flavorsUsage": found["flavorsReservation"]}


@wrong((status, "cluster_queue_status"))
def counts_admitted_ones_as_reserving_only(told, *args):
    """Breaks AC-048: counts what is admitted no longer as reserving; ADM-329 should catch it."""
    found = told(*args)
    return {**found, "reservingWorkloads": found["reservingWorkloads"] - found["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_ones_as_admitted(told, *args):
    """Breaks AC-048: counts what is reserved as admitted; ADM-329 should catch it."""
    found = told(*args)
    return {**found, "admittedWorkloads": found["reservingWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_ones_as_pending(told, *args):
    """Breaks AC-048: counts what is reserved as pending; ADM-329 should catch it."""
    found = told(*args)
    return {
        **found,
        "pendingWorkloads": found["pendingWorkloads"]
        + found["reservingWorkloads"]
        - found["admittedWorkloads"],
    }


@wrong((status, "local_queue_status"))
def counts_admitted_users_ones_as_reserving_only(told, *args):
    """Breaks AC-074: a LocalQueue counts what is admitted no longer as reserving; ADM-107 should catch it."""
    found = told(*args)
    return {**found, "reservingWorkloads": found["reservingWorkloads"] - found["admittedWorkloads"]}


@wrong((status, "local_queue_status"))
def counts_reserving_users_ones_as_admitted(told, *args):
    """Breaks AC-074: a LocalQueue counts what is reserved as admitted; ADM-107 should catch it."""
    found = told(*args)
    return {**found, "admittedWorkloads": found["reservingWorkloads"]}


@wrong((status, "local_queue_status"))
def tells_users_the_whole_usage(told, board, obj, cluster_queue, active, now):
    """Breaks AC-075: a LocalQueue tells the usage of its ClusterQueue; ADM-329 should catch it."""
    found = told(board, obj, cluster_queue, active, now)
    both = ((cluster_queue or {}).get("status") or {}).items()
    return {**found, **{k: v for k, v in both if k.startswith("flavors")}}


@wrong((status, "flavor_usage"))
def tells_the_first_group(right, groups, used, *, borrows=None):
    """Breaks AC-049: tells the usage of the first resource group only; ADM-329 should catch it."""
    first = set(groups.groups[0].flavors) if groups.groups else set()
    return [one for one in right(groups, used, borrows=borrows) if one["name"] in first]


@wrong((status, "flavor_usage"))
def tells_only_what_is_used(right, groups, used, *, borrows=None):
    """Breaks AC-049: leaves out flavors of which nothing is used; ADM-329 should catch it."""
    lines = right(groups, used, borrows=borrows)
    return [one for one in lines if any(str(each["total"]) != "0" for each in one["resources"])]


@wrong((status, "flavor_usage"))
def borrows_nothing(right, groups, used, *, borrows=None):
    """Breaks AC-049: says that nothing is ever borrowed; ADM-330 should catch it."""
    return right(groups, used, borrows=borrows and False)


@wrong((status, "_resource"))
def borrows_everything(right, groups, fr, used, borrows):
    """Breaks AC-049: says that all that is used is borrowed; ADM-330 should catch it."""
    line = right(groups, fr, used, borrows)
    return {**line, "borrowed": line["total"]} if borrows else line


@wrong((finalizers, "added"))
def protects_nothing(_, obj):
    """Breaks AC-400: puts no finalizer on anything; ADM-103 should catch it."""
    return obj


@wrong((InUse, "reconcile"))
async def lets_checks_go_at_once(reconcile, guard, key):
    """Breaks AC-401: lets go of what is deleted though it is in use; ADM-103 should catch it."""
    await reconcile(replace(guard, users=lambda _: ()), key)


@wrong((InUse, "reconcile"))
async def never_lets_go(reconcile, guard, key):
    """Breaks AC-401: never lets go of what is deleted; ADM-103 should catch it."""
    await reconcile(replace(guard, users=lambda name: (name,)), key)


@wrong((InUse, "reconcile"))
async def protects_what_is_used(reconcile, guard, key):
    """Breaks AC-400: puts the finalizer on what is in use only; ADM-328 should catch it."""
    obj = guard.store.get(key)
    if obj is None or finalizers.is_deleting(obj) or guard.users(key.name):
        await reconcile(guard, key)


@wrong((Catalogue, "using_check"))
def finds_users_by_their_first_check(_, catalogue, check):
    """Breaks AC-401: knows that a check is used only if it is the first of a queue; ADM-103 should catch it."""
    return tuple(
        name
        for name, spec in catalogue.cluster_queues.items()
        if check in [rule.name for rule in spec.checks[:1]]
    )


@wrong((Catalogue, "using_check"))
def finds_users_by_their_last_check(_, catalogue, check):
    """Breaks AC-401: knows that a check is used only if it is the last of a queue; ADM-322 must catch it."""
    return tuple(
        name
        for name, spec in catalogue.cluster_queues.items()
        if check in [rule.name for rule in spec.checks[-1:]]
    )


@wrong((Catalogue, "using_check"))
def finds_one_user_of_a_check(using, catalogue, check):
    """Breaks AC-405: looks again at one of the queues that use a check; ADM-322 must catch it."""
    return using(catalogue, check)[:1]


@wrong((Catalogue, "using_flavor"))
def finds_no_user_of_a_flavor(using, catalogue, flavor):
    """Breaks AC-407: never finds a flavor in use; ADM-105 should catch it."""
    return ()


@wrong((Notes, "check"))
def takes_deleted_checks_for_gone(check, notes, old, new):
    """Breaks AC-402: takes a check for gone as soon as it is being deleted; ADM-321 should catch it."""
    gone = new is not None and "deletionTimestamp" in new["metadata"]
    return check(notes, old or new, None) if gone else check(notes, old, new)


@wrong((Notes, "check"))
def listens_to_deleted_checks(check, notes, old, new):
    """Breaks AC-402: follows the Active condition of a check that is being deleted; ADM-321 should catch it."""
    if new is not None and "deletionTimestamp" in new["metadata"]:
        new = {**new, "metadata": {k: v for k, v in new["metadata"].items() if k != "deletionTimestamp"}}
    return check(notes, old, new)


@wrong((Notes, "check"))
def overlooks_checks_that_go(check, notes, old, new):
    """Breaks AC-403: does not notice that a check is gone; ADM-320 must catch it."""
    return None if new is None else check(notes, old, new)


@wrong((Notes, "_referred"))
def tells_nobody_of_a_change(_, notes, names):
    """Breaks AC-405: does not look again at ClusterQueues whose checks change; ADM-101 must catch it."""


@wrong((ClusterQueues, "reconcile"))
async def holds_no_cluster_queue(reconcile, queues, key):
    """Breaks AC-427: lets a ClusterQueue go that has admitted Workloads; ADM-086 should catch it."""
    obj = queues.latest.get(key)
    if obj is not None and finalizers.is_deleting(obj) and finalizers.has(obj):
        await queues.client.update(CLUSTER_QUEUES, finalizers.removed(obj))
    else:
        await reconcile(queues, key)


@wrong((ClusterQueues, "reconcile"))
async def never_lets_a_cluster_queue_go(reconcile, queues, key):
    """Breaks AC-427: keeps the finalizer of a ClusterQueue that nothing uses; ADM-085 should catch it."""
    obj = queues.latest.get(key)
    if obj is None or not finalizers.is_deleting(obj):
        await reconcile(queues, key)


@wrong((LocalQueues, "reconcile"))
async def tells_users_nothing(reconcile, queues, key):
    """Breaks AC-436: writes no status on a LocalQueue; ADM-106 should catch it."""
