"""Wrong about the Workload of a job: whose it is, and what it says (JI-002 to JI-009)."""

from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job

from ..killing.planes import wrong


@wrong((JobController, "reconcile"))
async def does_nothing(_, self, key):
    """Breaks JI-002: looks at jobs and does nothing; JIN-001 must catch it."""


@wrong((workload_construction, "workload_of"), (decide, "follow_queue"))
def names_a_queue_of_its_own(right, *args):
    """Breaks JI-005: sends every job to one queue; JIN-002 must catch it."""
    if right.__name__ == "follow_queue":
        return None
    workload = right(*args)
    return {**workload, "spec": {**workload["spec"], "queueName": "default"}}


@wrong((decide, "delete_others"))
def keeps_the_workload_of_a_namesake(_, snapshot):
    """Breaks JI-004: leaves the Workload of an earlier job of the name where it is;
    JIN-004 must catch it.
    """


@wrong((Job, "queue_name"))
def takes_every_job(right, self):
    """Breaks JI-009: makes a Workload for a job without a queue as well; JIN-007 must catch it."""
    return right(self) or "default"


@wrong((workload_construction, "workload_name"))
def calls_all_workloads_alike(_, job):
    """Breaks JI-004: gives the Workloads of all jobs one name; JIN-008 must catch it."""
    return "the-workload"


@wrong((Job, "max_execution_seconds"))
def forgets_how_long_a_job_may_run(_, self):
    """Breaks JI-098: reads nothing of the label that limits a job's time; JIN-130 may catch it."""


@wrong((workload_construction, "workload_of"))
def passes_no_annotations_on(right, *args):
    """Breaks JI-099: copies no annotation to the Workload; JIN-131 may catch it."""
    workload = right(*args)
    return {**workload, "metadata": {**workload["metadata"], "annotations": {}}}


@wrong((workload_construction, "workload_of"))
def passes_all_annotations_on(right, job, *args):
    """Breaks JI-099: copies all annotations to the Workload; JIN-131 may catch it."""
    workload = right(job, *args)
    return {**workload, "metadata": {**workload["metadata"], "annotations": dict(job.annotations)}}
