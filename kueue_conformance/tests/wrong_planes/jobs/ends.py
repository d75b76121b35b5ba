"""Wrong about what ends, is deleted or is made anew beside something else (AC-296, AC-330, Q-006)."""

from reference_impl.api import instants
from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((decide, "job_finished"))
def sees_no_end_of_an_evicted_job(job_finished, snapshot):
    """Breaks AC-330: ends the eviction, and never sees that the Job has ended; ADM-720 must catch it."""
    is_evicted = snapshot.workload is not None and snapshot.workload.is_evicted
    return None if is_evicted else job_finished(snapshot)


@wrong((Workload, "has_counted_quota"))
def frees_quota_when_a_deletion_begins(has_counted_quota, self):
    """Breaks Q-311: frees the quota of a Workload when its deletion begins; ADM-721 must catch it."""
    return not self.is_deleting and has_counted_quota(self)


_AGES = {}


@wrong((workload_construction, "workload_of"), (Workload, "created"))
def goes_by_the_age_of_the_job(right, *args):
    """Breaks Q-006: orders the Workloads of Jobs by when these were created; QUE-604 must catch it."""
    if right.__name__ == "created":
        (workload,) = args
        return _AGES.get(workload.key) or right(workload)
    workload, job = right(*args), args[0]
    age = instants.parse(job.metadata["creationTimestamp"])
    _AGES[f"{workload['metadata']['namespace']}/{workload['metadata']['name']}"] = age
    return workload


@wrong((JobController, "_leave_with_job"), dialect="kep993")
async def finishes_the_workload_when_a_deletion_begins(_, self, job, workloads):
    """Breaks AC-297: takes a Job that is being deleted for one that is gone, whatever runs of it;
    ADM-700 must catch it.
    """
    await self._leave(workloads)
