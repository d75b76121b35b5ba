"""Wrong in counters of queues and usage of admissions, in every story (Q-083, Q-177, Q-371, Q-373)."""

from dataclasses import replace

from reference_impl.kueue.queues import status
from reference_impl.kueue.scheduling import reservation

from ...killing.planes import wrong


@wrong((status, "cluster_queue_status"))
def counts_one_too_many(right, *args):
    """Breaks Q-371: counts one reservation more than there is; rule Q-371 in ADM-201 must catch it."""
    result = right(*args)
    return {**result, "reservingWorkloads": result["reservingWorkloads"] + 1}


@wrong((status, "local_queue_status"))
def counts_no_admission_of_a_local_queue(right, *args):
    """Breaks Q-371: never counts what a LocalQueue has admitted; rule Q-371 in ADM-012 must catch it."""
    return {**right(*args), "admittedWorkloads": 0}


@wrong((status, "_usage"))
def tells_that_nothing_is_used(right, *args, **kwargs):
    """Breaks Q-373: reports no usage of admitted Workloads; rule Q-373 in ADM-012 must catch it."""
    result = right(*args, **kwargs)
    empty = [
        {**item, "resources": [{**resource, "total": "0"} for resource in item["resources"]]}
        for item in result.get("flavorsUsage", ())
    ]
    return {**result, "flavorsUsage": empty} if empty else result


@wrong((reservation, "_pod_set_assignment"))
def tells_what_one_pod_uses(right, pod_set):
    """Breaks Q-083: says of all pods what one of them uses; rule Q-083 in ADM-412 must catch it."""
    result = right(pod_set)
    return {
        **result,
        "resourceUsage": right(replace(pod_set, requests=one_pod(pod_set.requests)))["resourceUsage"],
    }


def one_pod(requests):
    return replace(
        requests,
        requests={name: value // max(1, requests.count) for name, value in requests.requests.items()},
    )


@wrong((reservation, "_pod_set_assignment"))
def tells_flavors_without_usage(right, pod_set):
    """Breaks Q-177: says which flavors are used, and not how much; rule Q-177 in ADM-201 must catch it."""
    return {name: value for name, value in right(pod_set).items() if name != "resourceUsage"}
