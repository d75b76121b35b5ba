"""Wrong about Jobs in what no scenario looks at:
the safety rules see it (AC-332, AC-333, AC-335, AC-363, AC-367).
"""

from reference_impl.kueue.jobs import decide, starting, stopping
from reference_impl.kueue.jobs.steps import Release, Start

from ...killing.planes import wrong


@wrong((decide, "evict"))
def gives_back_the_quota_of_running_pods(right, snapshot):
    """Breaks AC-332: gives the quota of an evicted Job back
    while it has pods; rule AC-332 in ADM-450 must catch it.
    """
    workload = snapshot.workload
    early = (
        workload is not None
        and workload.is_evicted
        and workload.has_quota_reservation
        and snapshot.job.is_active
    )
    return Release(workload) if early else right(snapshot)


@wrong((decide, "start"), (decide, "stop_unadmitted"))
def starts_what_has_only_quota(right, snapshot):
    """Breaks AC-335: lets a Job run as soon as it has quota;
    rule AC-335 in ADM-123[1-checks] must catch it.
    """
    workload = snapshot.workload
    if workload is None or not workload.has_quota_reservation or workload.is_admitted or workload.is_evicted:
        return right(snapshot)
    return Start(workload) if snapshot.job.is_suspended else None


@wrong((starting, "start"))
def selects_nodes_of_its_own(started, job, workload, flavors):
    """Breaks AC-363: selects nodes that neither flavors nor
    checks have named; rule AC-363 in ADM-049 must catch it.
    """
    result = started(job, workload, flavors)
    template = result["spec"]["template"]
    spec = {
        **template["spec"],
        "nodeSelector": {**template["spec"].get("nodeSelector", {}), "kueue": "picked"},
    }
    return {**result, "spec": {**result["spec"], "template": {**template, "spec": spec}}}


@wrong((stopping, "_restore"))
def keeps_annotations_of_a_stopped_job(right, obj, workload):
    """Breaks AC-367: leaves what it wrote into the pods of a Job when it waits again; rule AC-367 in ADM-049
    must catch it.
    """
    back, old = right(obj, workload), obj["spec"]["template"]["metadata"].get("annotations") or {}
    template = back["spec"]["template"]
    metadata = {**template["metadata"], "annotations": {**template["metadata"].get("annotations", {}), **old}}
    return {**back, "spec": {**back["spec"], "template": {**template, "metadata": metadata}}}


@wrong((decide, "start"))
def starts_once(right, snapshot):
    """Breaks AC-333: does not start a Job again that was evicted; rule AC-333 in ADM-084 must catch it."""
    step = right(snapshot)
    return None if step and snapshot.workload.status.get("schedulingStats") else step
