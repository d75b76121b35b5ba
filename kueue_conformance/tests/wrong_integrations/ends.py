"""Wrong about the end of a job, and about writing no more than is needed (JI-015, JI-040, JI-080)."""

from reference_impl.api.kinds import JOBS
from reference_impl.kueue.jobs import decide
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.steps import DeleteWorkloads, NoAction
from reference_impl.kueue.workload import conditions as c
from reference_impl.runtime.controller import RequeueAfter

from ..killing.planes import wrong

MINUTE = 60.0


@wrong((decide, "workload_finished"))
def deletes_finished_workloads(right, snapshot):
    """Breaks JI-044: deletes the Workload of a job that has ended; JIN-041 must catch it."""
    step = right(snapshot)
    return DeleteWorkloads((snapshot.workload,)) if step is not None and snapshot.job.outcome else step


_SEEN = set()


@wrong((JobController, "reconcile"))
async def sees_what_it_saw_run_alone(reconcile, self, key):
    """Breaks JI-073: sees the end of a job only where it saw the job run; JIN-043 must catch it."""
    obj = self.jobs.get(key)
    if obj is not None and not Job(obj).outcome:
        _SEEN.add((self.jobs, obj["metadata"]["uid"]))
    if obj is None or (self.jobs, obj["metadata"]["uid"]) in _SEEN:
        return await reconcile(self, key)
    return None


async def writes_every_minute(reconcile, self, key, when):
    """Reconcile, and note the time on a job in some states, again and again."""
    result, obj = await reconcile(self, key), self.jobs.get(key)
    workloads = self._workloads_of(key)
    if result is not None or obj is None or not workloads or not when(Job(obj), workloads[0]):
        return result
    note = {"metadata": {"annotations": {"example.com/seen": str(int(self.executor.clock.now()))}}}
    await self.executor.client.patch(JOBS, key, note)
    return RequeueAfter(MINUTE)


@wrong((JobController, "reconcile"))
async def writes_what_runs_every_minute(reconcile, self, key):
    """Breaks JI-015: notes on a running job when it was seen; JIN-015 must catch it."""
    return await writes_every_minute(
        reconcile, self, key, lambda job, workload: not job.is_suspended and not workload.is_finished
    )


@wrong((JobController, "reconcile"))
async def writes_what_is_over_every_minute(reconcile, self, key):
    """Breaks JI-043: notes on a job that has ended when it was seen; JIN-042 must catch it."""
    return await writes_every_minute(reconcile, self, key, lambda _, workload: workload.is_finished)


@wrong((JobController, "reconcile"))
async def writes_what_waits_every_minute(reconcile, self, key):
    """Breaks JI-080: notes on a job that waits for quota when it was seen;
    JIN-080[waiting] must catch it.
    """
    return await writes_every_minute(
        reconcile, self, key, lambda _, workload: not workload.has_quota_reservation and workload.is_active
    )


@wrong((JobController, "reconcile"))
async def writes_what_is_reserved_every_minute(reconcile, self, key):
    """Breaks JI-080: notes on a job that waits for checks when it was seen;
    JIN-080[reserved] must catch it.
    """
    return await writes_every_minute(
        reconcile,
        self,
        key,
        lambda _, workload: workload.has_quota_reservation and not workload.is_admitted,
    )


@wrong((decide, "job_finished"))
def sees_no_end_of_what_waits(right, snapshot):
    """Breaks JI-045: sees the end of a job only when its Workload holds quota;
    JIN-045[for-quota] must catch it.
    """
    waits = snapshot.workload is not None and not snapshot.workload.has_quota_reservation
    return None if waits else right(snapshot)


@wrong((decide, "job_finished"))
def sees_no_end_of_what_is_checked(right, snapshot):
    """Breaks JI-045: sees no end of a job whose checks are Pending; JIN-045[for-a-check] must catch it."""
    workload = snapshot.workload
    checked = workload is not None and workload.has_quota_reservation and not workload.is_admitted
    return None if checked else right(snapshot)


@wrong((decide, "job_finished"))
def makes_workloads_of_what_is_over(right, snapshot):
    """Breaks JI-044: makes a Workload for a job that has ended and has none; JIN-046 must catch it."""
    return right(snapshot) if snapshot.workload is not None else None


@wrong((decide, "workload_finished"))
def keeps_finished_workloads(right, snapshot):
    """Breaks JI-042: keeps the finalizer on a finished Workload; JIN-047 should catch it."""
    return NoAction() if right(snapshot) is not None else None


@wrong((decide, "job_finished"))
def sees_no_end_before_kueue_writes(right, snapshot):
    """Breaks JI-045: sees the end of a job when Kueue has looked for quota; JIN-048 must catch it."""
    workload = snapshot.workload
    is_written = workload is None or workload.condition(c.QUOTA_RESERVED) is not None
    return right(snapshot) if is_written else None
