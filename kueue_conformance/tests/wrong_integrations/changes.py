"""Wrong about jobs that are changed, deleted and created again (JI-050 to JI-063, JI-082)."""

from reference_impl.api.kinds import JOBS
from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import QUEUE_LABEL, Job

from ..killing.planes import wrong
from .starts import unsuspend


@wrong((workload_construction, "describe_containers"), (workload_construction, "describe_containers_and_pod"))
def compares_counts_alone(_, pod):
    """Breaks JI-051: sees no change of what pods request; JIN-052 must catch it."""
    return {}


@wrong((workload_construction, "matches"))
def sees_no_change_of_what_runs(right, job, workload, describe_pods):
    """Breaks JI-052: lets a job run on that needs something else than its Workload says;
    JIN-054 must catch it.
    """
    return not job.is_suspended or right(job, workload, describe_pods)


@wrong((ActionExecutor, "_patch"))
async def takes_labels_of_others_away(patch, self, present, write):
    """Breaks JI-082: writes a job with the labels alone that it knows; JIN-055 must catch it."""
    written = await patch(self, present, write)
    others = {name: None for name in written["metadata"].get("labels") or {} if name != QUEUE_LABEL}
    return await self.client.patch(JOBS, Job(written).key, {"metadata": {"labels": others}})


_RESUMED = set()


@wrong((decide, "stop_unadmitted"), (decide, "start"))
def gives_up_what_was_resumed(right, snapshot):
    """Breaks JI-013: never starts a job that its user has resumed too early; JIN-056 must catch it."""
    step, uid = right(snapshot), snapshot.job.metadata["uid"]
    if right.__name__ == "stop_unadmitted" and step is not None:
        _RESUMED.add(uid)
    return None if right.__name__ == "start" and uid in _RESUMED else step


@wrong((JobController, "_leave"))
async def keeps_what_a_running_job_held(leave, self, workloads):
    """Breaks JI-060: keeps the Workload of a job that was deleted while it ran;
    JIN-060[running] must catch it.
    """
    await leave(
        self, [workload for workload in workloads if workload.is_finished or not workload.is_admitted]
    )


@wrong((JobController, "_leave"))
async def keeps_what_a_finished_job_held(leave, self, workloads):
    """Breaks JI-060: keeps the Workload of a job that was deleted before its checks were through;
    JIN-060[reserved] must catch it.
    """
    await leave(
        self,
        [workload for workload in workloads if workload.is_admitted or not workload.has_quota_reservation],
    )


_STARTED = set()


def remembers(right, snapshot):
    """Note which jobs were started, by namespace and name."""
    if not snapshot.job.is_suspended and snapshot.workload is not None and snapshot.workload.is_admitted:
        _STARTED.add(snapshot.job.key)
    return snapshot.job.key in _STARTED


@wrong((decide, "start"))
def starts_by_name(start, snapshot):
    """Breaks JI-063: starts a job at once whose namesake was started before; JIN-062 must catch it."""
    is_known, workload = remembers(start, snapshot), snapshot.workload
    waits = workload is not None and not workload.is_admitted and not workload.is_finished
    return unsuspend(snapshot) if is_known and waits and snapshot.job.is_suspended else start(snapshot)


@wrong((decide, "stop_without_match"), (decide, "stop_unadmitted"), (decide, "start"))
def trusts_namesakes(right, snapshot):
    """Breaks JI-063: lets a job run that was created unsuspended where its namesake was started before;
    JIN-063 must catch it.
    """
    is_known = remembers(right, snapshot)
    return right(snapshot) if right.__name__ == "start" or not is_known else None


_KNOWN = set()


@wrong((JobController, "reconcile"))
async def hears_of_deletions_alone(reconcile, self, key):
    """Breaks JI-073: misses what was deleted while it was down; JIN-064 must catch it."""
    if self.jobs.get(key) is not None:
        _KNOWN.add((self.jobs, key))
    return await reconcile(self, key) if (self.jobs, key) in _KNOWN else None


@wrong((workload_construction, "matches"))
def sees_no_change_of_what_is_reserved(right, job, workload, describe_pods):
    """Breaks JI-056: starts a job by the quota of what it was before it was changed;
    JIN-057 must catch it.
    """
    return workload.has_quota_reservation or right(job, workload, describe_pods)


@wrong((workload_construction, "matches"))
def sees_no_change_of_what_is_evicted(right, job, workload, describe_pods):
    """Breaks JI-055: admits an evicted job again with what it needed before; JIN-058 must catch it."""
    return workload.is_evicted or right(job, workload, describe_pods)
