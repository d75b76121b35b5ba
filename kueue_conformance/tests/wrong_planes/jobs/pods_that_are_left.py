"""Wrong about the pods of a Job that hold its quota (AC-289, AC-332, Q-311)."""

from reference_impl.kueue.jobs import decide
from reference_impl.kueue.jobs.steps import Release
from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


def frees_at_once(evict, snapshot, *reasons, unless=False):
    """Return the release of a suspended Job that was evicted for one of the reasons, or the right step.

    It does not wait for the last write of a stop, which is refused while pods are active (AC-336).
    """
    workload, step = snapshot.workload, evict(snapshot)
    evicted = workload and workload.condition(c.EVICTED)
    if unless or not evicted or evicted["status"] != "True" or (reasons and evicted["reason"] not in reasons):
        return step
    return Release(workload) if snapshot.job.spec["suspend"] and workload.has_quota_reservation else step


@wrong((decide, "evict"))
def sees_pods_that_are_ready(evict, snapshot):
    """Breaks AC-289: frees the quota of an evicted Job when no pod of it is ready; ADM-734 must catch it."""
    return frees_at_once(evict, snapshot, unless=bool(snapshot.job.status.get("ready")))


@wrong((decide, "evict"))
def takes_terminating_pods_for_all(evict, snapshot):
    """Breaks AC-289: frees the quota of an evicted Job when pods of it are terminating, though one runs;
    ADM-734 must catch it.
    """
    return frees_at_once(evict, snapshot, unless=not snapshot.job.status.get("terminating"))


@wrong((decide, "evict"))
def frees_what_is_preempted_at_once(evict, snapshot):
    """Breaks AC-332: gives the quota of a preempted Job away while its pods end; ADM-734 must catch it."""
    return frees_at_once(evict, snapshot, "Preempted")


@wrong((decide, "evict"))
def frees_what_is_drained_at_once(evict, snapshot):
    """Breaks AC-332: gives the quota of a drained Job away while its pods end; ADM-734 must catch it."""
    return frees_at_once(evict, snapshot, "ClusterQueueStopped", "LocalQueueStopped")


@wrong((Workload, "has_counted_quota"))
def counts_no_job_that_is_evicted(has_counted_quota, self):
    """Breaks Q-311: does not count what an evicted Job holds, though its pods run; ADM-734 must catch it."""
    return not self.is_evicted and has_counted_quota(self)


@wrong((UsageCache, "put"))
def counts_no_job_that_is_not_ready(put, self, workload):
    """Breaks Q-311: counts a running Job when all its pods are ready; ADM-735 must catch it."""
    pods_ready = workload.condition(c.PODS_READY) or {"status": "True"}
    if workload.is_admitted and pods_ready["status"] == "False":
        self.remove(workload.key)
    else:
        put(self, workload)
