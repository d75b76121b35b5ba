"""Wrong about what an integration may do beyond what each must (JI-090, JI-091, JI-092, JI-101)."""

from reference_impl.kueue.jobs import decide, pods_ready, starting, stopping, workload_construction
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.workload import conditions as c

from ..killing.planes import wrong


@wrong((starting, "start"))
def runs_with_all_pods(start, job, workload, flavors):
    """Breaks JI-091: runs with all pods that the job asks for; JIN-105 must catch it."""
    started = start(job, workload, flavors)
    return {**started, "spec": {**started["spec"], "parallelism": job.parallelism}}


@wrong((stopping, "_restore"))
def keeps_the_admitted_count(right, obj, workload):
    """Breaks JI-100: leaves a job with as many pods as were admitted; JIN-106 must catch it."""
    restored = right(obj, workload)
    return {**restored, "spec": {**restored["spec"], "parallelism": obj["spec"]["parallelism"]}}


@wrong((workload_construction, "matches"))
def takes_fewer_pods_for_a_change(right, job, workload, describe_pods):
    """Breaks JI-100: stops a job that runs with fewer pods than it asked for; JIN-107 must catch it."""
    # With pods alone: a job without them, which was stopped and is started, would be stopped again for ever.
    fewer = job.is_active and not job.is_suspended and job.pod_count < workload.spec["podSets"][0]["count"]
    return not fewer and right(job, workload, describe_pods)


@wrong((decide, "reclaim_pods"))
def reclaims_once(reclaim, snapshot):
    """Breaks JI-090: says once how many pods will not run again; JIN-111 must catch it."""
    workload = snapshot.workload
    return None if workload is not None and workload.status.get("reclaimablePods") else reclaim(snapshot)


@wrong((pods_ready, "condition"))
def takes_what_is_started_for_ready(condition, job, workload):
    """Breaks JI-092: says that pods are ready when their job is started; JIN-113 must catch it."""
    return pods_ready.STARTED if workload.is_admitted else condition(job, workload)


@wrong((pods_ready, "condition"))
def takes_what_was_ready_for_ready(condition, job, workload):
    """Breaks JI-101: says that pods are ready once all of them were; JIN-114 must catch it."""
    before = workload.condition(c.PODS_READY)
    was_ready = before is not None and before["status"] == "True" and workload.is_admitted
    return pods_ready.STARTED if was_ready else condition(job, workload)


@wrong((pods_ready, "condition"))
def takes_evicted_pods_for_ready(condition, job, workload):
    """Breaks JI-092: leaves PodsReady True when the job was evicted; JIN-115 must catch it."""
    before = workload.condition(c.PODS_READY)
    stays = before is not None and before["status"] == "True" and workload.is_evicted
    return pods_ready.STARTED if stays else condition(job, workload)


@wrong((ActionExecutor, "_tell"))
def tells_no_event_of_a_stop(tell, self, job, reason, note):
    """Breaks JI-097: tells no Event when it stops a job; JIN-122 may catch it."""
    if reason != "Stopped":
        tell(self, job, reason, note)


@wrong((starting, "start"))
def runs_here_what_runs_elsewhere(start, job, workload, flavors):
    """Breaks JI-094: starts a job without the field that says who runs it; JIN-123 must catch it."""
    started = start(job, workload, flavors)
    spec = {name: value for name, value in started["spec"].items() if name != "managedBy"}
    return {**started, "spec": spec}
