"""Wrong about Jobs in what no scenario looks at: the safety rules see it (AC-332…335, AC-363, AC-367)."""

from reference_impl.jobs import decide, starting, stopping
from reference_impl.jobs.steps import Release, Rest, Start

from ..killing.planes import wrong


@wrong((decide, "evict"))
def gives_back_the_quota_of_running_pods(right, scene):
    """Breaks AC-332: gives the quota of an evicted Job back while it has pods; rule AC-332 in ADM-000 must catch it."""
    workload, step = scene.workload, right(scene)
    return Release(workload) if isinstance(step, Rest) and workload.reserved else step


@wrong((decide, "tell_checks"))
def starts_for_a_moment(right, scene):
    """Breaks AC-334: lets a Job run when quota is reserved, and stops it at once; rule AC-334 in ADM-000 must catch it."""
    workload = scene.workload
    reserved = workload is not None and workload.reserved and scene.job.suspended and not workload.admitted
    return Start(workload) if reserved and not scene.job.status.get("startTime") else right(scene)


@wrong((starting, "started"))
def selects_nodes_of_its_own(started, job, workload, flavors):
    """Breaks AC-363: selects nodes that neither flavors nor checks have named; rule AC-363 in ADM-000 must catch it."""
    found = started(job, workload, flavors)
    template = found["spec"]["template"]
    spec = {
        **template["spec"],
        "nodeSelector": {**template["spec"].get("nodeSelector", {}), "kueue": "picked"},
    }
    return {**found, "spec": {**found["spec"], "template": {**template, "spec": spec}}}


@wrong((stopping, "_restored"))
def keeps_annotations_of_a_stopped_job(right, obj, workload):
    """Breaks AC-367: leaves what it wrote into the pods of a Job when it waits again; rule AC-367 in ADM-000 must catch it."""
    back, old = right(obj, workload), obj["spec"]["template"]["metadata"].get("annotations") or {}
    template = back["spec"]["template"]
    metadata = {**template["metadata"], "annotations": {**template["metadata"].get("annotations", {}), **old}}
    return {**back, "spec": {**back["spec"], "template": {**template, "metadata": metadata}}}


@wrong((decide, "start"))
def starts_once(right, scene):
    """Breaks AC-333: does not start a Job again that was evicted; rule AC-333 in ADM-000 must catch it."""
    step = right(scene)
    return None if step and scene.workload.status.get("schedulingStats") else step


@wrong((decide, "stop_unadmitted"))
def lets_jobs_run_that_nobody_has_started(right, scene):
    """Breaks AC-335: does not stop a Job that runs without quota; rule AC-335 in ADM-000 must catch it."""
    step = right(scene)
    return None if step and not scene.workload.reserved else step


@wrong((decide, "evict"))
def keeps_the_quota_of_a_job_that_never_ran(right, scene):
    """Breaks AC-289: does not give back what an evicted Job has only reserved; rule AC-289 in ADM-000 must catch it."""
    step = right(scene)
    return None if isinstance(step, Release) and not scene.workload.admitted else step
