"""Wrong about what ClusterQueues and LocalQueues tell of themselves (AC-048, AC-049, AC-074, AC-410…438)."""

from dataclasses import replace

from reference_impl.queues import cluster_queues, status
from reference_impl.queues.local_queues import LocalQueues
from reference_impl.queues.status import ACTIVE
from reference_impl.quota import ledger
from reference_impl.quota.ledger import Account
from reference_impl.workload.conditions import Condition

from ..killing.planes import wrong


@wrong((status, "cluster_queue_status"))
def counts_nothing_that_waits(right, *args):
    """Breaks AC-048: does not count what waits; ADM-020 must catch it."""
    return {**right(*args), "pendingWorkloads": 0}


@wrong((status, "cluster_queue_status"))
def counts_admitted_for_reserving(right, *args):
    """Breaks AC-048: counts as reserving what is admitted only; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "reservingWorkloads": found["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_for_admitted(right, *args):
    """Breaks AC-048: counts as admitted what is reserved; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "admittedWorkloads": found["reservingWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_apart_from_admitted(right, *args):
    """Breaks AC-048: does not count what is admitted as reserving; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "reservingWorkloads": found["reservingWorkloads"] - found["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def tells_reserved_for_used(right, *args):
    """Breaks AC-049: tells as used what is reserved; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "flavorsUsage": found["flavorsReservation"]}


@wrong((status, "cluster_queue_status"))
def tells_used_for_reserved(right, *args):
    """Breaks AC-049: tells as reserved what is used; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "flavorsReservation": found["flavorsUsage"]}


@wrong((status, "cluster_queue_status"))
def tells_no_usage(right, *args):
    """Breaks AC-049: tells of no usage at all; ADM-399 must catch it."""
    found = right(*args)
    return {name: value for name, value in found.items() if not name.startswith("flavors")}


@wrong((status, "local_queue_status"))
def counts_nothing_that_waits_for_users(right, *args):
    """Breaks AC-074: does not tell users what waits; ADM-020 must catch it."""
    return {**right(*args), "pendingWorkloads": 0}


@wrong((status, "local_queue_status"))
def tells_users_what_the_cluster_queue_counts(right, board, obj, cluster_queue, *rest):
    """Breaks AC-074: counts in a LocalQueue what others have in its ClusterQueue; ADM-020 must catch it."""
    found = right(board, obj, cluster_queue, *rest)
    account = board.ledger.of_cluster_queue((obj["spec"] or {}).get("clusterQueue", ""))
    return {**found, "reservingWorkloads": account.reserving, "admittedWorkloads": account.admitted}


@wrong((status, "local_queue_status"))
def tells_users_no_usage(right, *args):
    """Breaks AC-074: does not tell users what they use; ADM-020 must catch it."""
    return {name: value for name, value in right(*args).items() if name != "flavorsUsage"}


@wrong((status, "local_queue_status"))
def tells_users_reserved_for_used(right, *args):
    """Breaks AC-074: tells users as used what is reserved; ADM-020 must catch it."""
    found = right(*args)
    return {**found, "flavorsUsage": found["flavorsReservation"]}


@wrong((Account, "book"))
def never_counts_out(right, self, holding, sign):
    """Breaks AC-048: counts in and never out; ADM-020 must catch it."""
    return right(self, holding, sign) if sign > 0 else None


@wrong((Account, "book"))
def counts_everything_as_admitted(right, self, holding, sign):
    """Breaks AC-048: counts every holding as admitted; ADM-020 must catch it."""
    return right(self, replace(holding, admitted=True), sign)


@wrong((ledger, "_alike"))
def sees_no_admission(_, one, other):
    """Breaks AC-048: does not count anew what becomes admitted; ADM-020 must catch it."""
    return True


@wrong((ledger, "_alike"))
def sees_no_other_usage(_, one, other):
    """Breaks Q-085: does not count anew what gives pods back; ADM-406 should catch it."""
    return (one.cluster_queue, one.local_queue, one.admitted) == (
        other.cluster_queue,
        other.local_queue,
        other.admitted,
    )


@wrong((status, "_resource"))
def tells_of_no_borrowing(right, groups, fr, used, borrows):
    """Breaks AC-049: does not tell what was borrowed; ADM-399 must catch it."""
    return right(groups, fr, used, None)


@wrong((status, "_resource"))
def tells_the_total_as_borrowed(right, groups, fr, used, borrows):
    """Breaks AC-049: tells all usage as borrowed; ADM-399 must catch it."""
    found = right(groups, fr, used, borrows)
    return {**found, "borrowed": found["total"]} if "borrowed" in found else found


@wrong((status, "_resource"))
def tells_what_is_free_as_borrowed(right, groups, fr, used, borrows):
    """Breaks AC-049: tells of what is not used as borrowed; ADM-399 must catch it."""
    found = right(groups, fr, used, borrows)
    return {**found, "borrowed": "0"} if "borrowed" in found else found


# Active


@wrong((status, "local_queue_active"))
def is_always_active_for_users(right, spec, cluster_queue, *rest):
    """Breaks AC-438: tells users that everything can be submitted; ADM-106 should catch it."""
    return Condition(ACTIVE, True, "Ready", status.CAN_SUBMIT)


@wrong((status, "local_queue_active"))
def minds_no_stop_of_a_local_queue(right, spec, *rest):
    """Breaks AC-435: does not tell users that their queue is stopped; ADM-416 must catch it."""
    return right({**spec, "stopPolicy": "None"}, *rest)


@wrong((status, "local_queue_active"))
def takes_a_missing_cluster_queue_for_an_inactive_one(right, spec, cluster_queue, *rest):
    """Breaks AC-436: tells users that a ClusterQueue is inactive that does not exist; ADM-106 should catch it."""
    return right(spec, cluster_queue or {}, *rest)


@wrong((status, "local_queue_active"))
def stays_inactive_for_users(right, *args):
    """Breaks AC-437: never tells users that their queue is active; ADM-416 must catch it."""
    return replace(right(*args), status=False)


@wrong((status, "cluster_queue_active"))
def is_always_active(_, *args):
    """Breaks AC-411: says of every ClusterQueue that it can admit; ADM-094 must catch it."""
    return Condition(ACTIVE, True, "Ready", "Can admit new workloads")


@wrong((status, "cluster_queue_active"))
def never_says_that_it_terminates(right, catalogue, spec):
    """Breaks AC-421: does not say that a ClusterQueue is being deleted; ADM-086 should catch it."""
    return right(catalogue, replace(spec, deleting=False))


@wrong((LocalQueues, "reconcile"))
async def never_writes_a_local_queue(_, self, key):
    """Breaks AC-435: writes nothing into the status of a LocalQueue; ADM-020 must catch it."""


@wrong((cluster_queues.finalizers, "has"))
def lets_busy_queues_go(right, obj):
    """Breaks AC-427: keeps no ClusterQueue that is in use; ADM-086 should catch it."""
    return "deletionTimestamp" not in obj["metadata"]
