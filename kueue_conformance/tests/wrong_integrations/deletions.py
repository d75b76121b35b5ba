"""Wrong about Workloads that are deleted, and about jobs that are being deleted (JI-061 to JI-066)."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.steps import CreateWorkload, DeleteWorkloads, NoAction

from ..killing.planes import wrong


@wrong((decide, "create_workload"))
def makes_a_workload_beside_pods(create, snapshot):
    """Breaks JI-066: makes a new Workload while pods of the earlier one are left; JIN-059 must catch it."""
    job = snapshot.job
    status = {name: value for name, value in job.status.items() if name != "active"}
    return create(replace(snapshot, job=Job({**job.object, "status": status})))


@wrong((JobController, "_leave"))
async def keeps_what_an_evicted_job_held(leave, self, workloads):
    """Breaks JI-060: keeps the Workload of a job that was deleted while it was evicted;
    JIN-065 must catch it.
    """
    await leave(self, [workload for workload in workloads if not workload.is_evicted])


@wrong((Job, "is_deleting"))
def starts_what_is_being_deleted(_, self):
    """Breaks JI-064: takes no notice of the deletion of a job that is still there;
    JIN-066 must catch it.
    """
    return False


_MADE = set()


@wrong((decide, "create_workload"))
def makes_one_workload_for_ever(create, snapshot):
    """Breaks JI-065: makes one Workload for a job, and none when that is deleted; JIN-067 must catch it."""
    step, uid = create(snapshot), snapshot.job.metadata["uid"]
    if not isinstance(step, CreateWorkload):
        return step
    if uid in _MADE:
        return NoAction()
    _MADE.add(uid)
    return step


_RUNNING = set()


@wrong((decide, "stop_without_match"), (decide, "start"))
def lets_run_what_it_has_started(right, snapshot):
    """Breaks JI-061: lets a job run whose Workload is gone, since it was admitted once;
    JIN-068 must catch it.
    """
    step, uid = right(snapshot), snapshot.job.metadata["uid"]
    if right.__name__ == "start":
        if step is not None:
            _RUNNING.add(uid)
        return step
    return None if uid in _RUNNING else step


@wrong((decide, "delete_others"))
def leaves_a_second_workload(_, snapshot):
    """Breaks JI-002: deletes the Workloads of earlier jobs, and not a second one of the same;
    JIN-069 must catch it.
    """
    earlier = tuple(
        workload
        for workload in snapshot.other_workloads
        if not workload_construction.is_owned_by(snapshot.job, workload)
    )
    return DeleteWorkloads(earlier) if earlier else None
