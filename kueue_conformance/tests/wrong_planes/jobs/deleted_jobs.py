"""Wrong about a Job that is being deleted (AC-297)."""

from reference_impl.kueue.jobs.controller import JobController

from ...killing.planes import wrong


@wrong((JobController, "_leave_with_job"), dialect="kep993")
async def finishes_the_workload_when_a_deletion_begins(_, self, job, workloads):
    """Breaks AC-297: takes a Job that is being deleted for one that is gone, whatever runs of it;
    ADM-700 must catch it.
    """
    await self._leave(workloads)
