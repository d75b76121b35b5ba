"""Wrong in the counters and the reported usage of queues (AC-048, AC-049, AC-074, AC-075)."""

from dataclasses import replace

from reference_impl.kueue.queues import status
from reference_impl.kueue.quota import usage_cache
from reference_impl.kueue.quota.usage_cache import QueueUsage

from ...killing.planes import wrong


@wrong((status, "cluster_queue_status"))
def tells_usage_as_reservation(right, *args):
    """Breaks AC-049: reports admitted usage as reserved; ADM-108 must catch it."""
    result = right(*args)
    return {**result, "flavorsReservation": result["flavorsUsage"]}


@wrong((status, "cluster_queue_status"))
def tells_reservation_as_usage(right, *args):
    """Breaks AC-049: reports reserved usage as used; ADM-108 must catch it."""
    result = right(*args)
    return {**result, "flavorsUsage": result["flavorsReservation"]}


@wrong((status, "cluster_queue_status"))
def counts_admitted_ones_as_reserving_only(right, *args):
    """Breaks AC-048: counts admitted Workloads no longer as reserving; ADM-329 must catch it."""
    result = right(*args)
    return {**result, "reservingWorkloads": result["reservingWorkloads"] - result["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_ones_as_admitted(right, *args):
    """Breaks AC-048: counts reserved Workloads as admitted; ADM-329 must catch it."""
    result = right(*args)
    return {**result, "admittedWorkloads": result["reservingWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_ones_as_pending(right, *args):
    """Breaks AC-048: counts reserved Workloads as pending; ADM-329 must catch it."""
    result = right(*args)
    return {
        **result,
        "pendingWorkloads": result["pendingWorkloads"]
        + result["reservingWorkloads"]
        - result["admittedWorkloads"],
    }


@wrong((status, "local_queue_status"))
def counts_admitted_users_ones_as_reserving_only(right, *args):
    """Breaks AC-074: a LocalQueue counts admitted Workloads no longer as reserving; ADM-107 must catch it."""
    result = right(*args)
    return {**result, "reservingWorkloads": result["reservingWorkloads"] - result["admittedWorkloads"]}


@wrong((status, "local_queue_status"))
def counts_reserving_users_ones_as_admitted(right, *args):
    """Breaks AC-074: a LocalQueue counts reserved Workloads as admitted; ADM-107 must catch it."""
    result = right(*args)
    return {**result, "admittedWorkloads": result["reservingWorkloads"]}


@wrong((status, "local_queue_status"))
def tells_users_the_whole_usage(right, queue_manager, obj, cluster_queue, active, current_time):
    """Breaks AC-075: a LocalQueue tells the usage of its ClusterQueue; ADM-329 must catch it."""
    result = right(queue_manager, obj, cluster_queue, active, current_time)
    both = ((cluster_queue or {}).get("status") or {}).items()
    return {**result, **{k: v for k, v in both if k.startswith("flavors")}}


@wrong((status, "flavor_usage"))
def tells_the_first_group(right, groups, used, *, borrows=None):
    """Breaks AC-049: tells the usage of the first resource group only; ADM-329 must catch it."""
    first = set(groups.groups[0].flavors) if groups.groups else set()
    return [entry for entry in right(groups, used, borrows=borrows) if entry["name"] in first]


@wrong((status, "flavor_usage"))
def tells_only_what_is_used(right, groups, used, *, borrows=None):
    """Breaks AC-049: leaves out flavors of which nothing is used; ADM-329 must catch it."""
    lines = right(groups, used, borrows=borrows)
    return [line for line in lines if any(str(resource["total"]) != "0" for resource in line["resources"])]


@wrong((status, "flavor_usage"))
def borrows_nothing(right, groups, used, *, borrows=None):
    """Breaks AC-049: says that nothing is ever borrowed; ADM-330 must catch it."""
    return right(groups, used, borrows=borrows and False)


@wrong((status, "_resource"))
def borrows_everything(right, groups, fr, used, borrows):
    """Breaks AC-049: says that all that is used is borrowed; ADM-330 must catch it."""
    line = right(groups, fr, used, borrows)
    return {**line, "borrowed": line["total"]} if borrows else line


@wrong((status, "cluster_queue_status"))
def counts_nothing_that_waits(right, *args):
    """Breaks AC-048: does not count what waits; ADM-020 must catch it."""
    return {**right(*args), "pendingWorkloads": 0}


@wrong((status, "cluster_queue_status"))
def counts_admitted_for_reserving(right, *args):
    """Breaks AC-048: counts only admitted Workloads as reserving; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "reservingWorkloads": status["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_for_admitted(right, *args):
    """Breaks AC-048: counts reserved Workloads as admitted; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "admittedWorkloads": status["reservingWorkloads"]}


@wrong((status, "cluster_queue_status"))
def counts_reserving_apart_from_admitted(right, *args):
    """Breaks AC-048: does not count admitted Workloads as reserving; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "reservingWorkloads": status["reservingWorkloads"] - status["admittedWorkloads"]}


@wrong((status, "cluster_queue_status"))
def tells_reserved_for_used(right, *args):
    """Breaks AC-049: reports reserved usage as used; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "flavorsUsage": status["flavorsReservation"]}


@wrong((status, "cluster_queue_status"))
def tells_used_for_reserved(right, *args):
    """Breaks AC-049: reports used quota as reserved; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "flavorsReservation": status["flavorsUsage"]}


@wrong((status, "cluster_queue_status"))
def tells_no_usage(right, *args):
    """Breaks AC-049: reports no usage at all; ADM-399 must catch it."""
    status = right(*args)
    return {name: value for name, value in status.items() if not name.startswith("flavors")}


@wrong((status, "local_queue_status"))
def counts_nothing_that_waits_for_users(right, *args):
    """Breaks AC-074: does not tell users what waits; ADM-020 must catch it."""
    return {**right(*args), "pendingWorkloads": 0}


@wrong((status, "local_queue_status"))
def tells_users_what_the_cluster_queue_counts(right, queue_manager, obj, cluster_queue, *rest):
    """Breaks AC-074: counts in a LocalQueue what others have in its ClusterQueue; ADM-020 must catch it."""
    status = right(queue_manager, obj, cluster_queue, *rest)
    account = queue_manager.ledger.of_cluster_queue((obj["spec"] or {}).get("clusterQueue", ""))
    return {**status, "reservingWorkloads": account.reserving, "admittedWorkloads": account.admitted}


@wrong((status, "local_queue_status"))
def tells_users_no_usage(right, *args):
    """Breaks AC-074: does not tell users what they use; ADM-020 must catch it."""
    return {name: value for name, value in right(*args).items() if name != "flavorsUsage"}


@wrong((status, "local_queue_status"))
def tells_users_reserved_for_used(right, *args):
    """Breaks AC-074: reports reserved usage to users as used; ADM-020 must catch it."""
    status = right(*args)
    return {**status, "flavorsUsage": status["flavorsReservation"]}


@wrong((QueueUsage, "book"))
def never_counts_out(right, self, holding, sign):
    """Breaks AC-048: counts in and never out; ADM-020 must catch it."""
    return right(self, holding, sign) if sign > 0 else None


@wrong((QueueUsage, "book"))
def counts_everything_as_admitted(right, self, holding, sign):
    """Breaks AC-048: counts every holding as admitted; ADM-020 must catch it."""
    return right(self, replace(holding, is_admitted=True), sign)


@wrong((usage_cache, "_booked"))
def sees_no_admission(_, holding):
    """Breaks AC-048: does not count anew what becomes admitted; ADM-020 must catch it."""
    return holding.workload.uid


@wrong((usage_cache, "_booked"))
def sees_no_other_usage(_, holding):
    """Breaks Q-085: does not count anew what gives pods back; ADM-406 must catch it."""
    return holding.cluster_queue, holding.local_queue, holding.is_admitted


@wrong((status, "_resource"))
def tells_of_no_borrowing(right, groups, fr, used, borrows):
    """Breaks AC-049: does not tell what was borrowed; ADM-399 must catch it."""
    return right(groups, fr, used, None)


@wrong((status, "_resource"))
def tells_the_total_as_borrowed(right, groups, fr, used, borrows):
    """Breaks AC-049: tells all usage as borrowed; ADM-399 must catch it."""
    usage = right(groups, fr, used, borrows)
    return {**usage, "borrowed": usage["total"]} if "borrowed" in usage else usage


@wrong((status, "_resource"))
def tells_what_is_free_as_borrowed(right, groups, fr, used, borrows):
    """Breaks AC-049: reports unused quota as borrowed; ADM-399 must catch it."""
    usage = right(groups, fr, used, borrows)
    return {**usage, "borrowed": "0"} if "borrowed" in usage else usage
