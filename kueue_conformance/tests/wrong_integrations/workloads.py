"""Wrong about the Workload of a job: whose it is, and what it says (JI-002 to JI-009)."""

from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.priority import NO_PRIORITY, PriorityClasses

from ..killing.planes import wrong


@wrong((JobController, "reconcile"))
async def does_nothing(_, self, key):
    """Breaks JI-002: looks at jobs and does nothing; JIN-001 must catch it."""


@wrong((workload_construction, "workload_of"))
def controls_no_workload(right, *args):
    """Breaks JI-003: owns the Workload without being its controller; JIN-001 must catch it."""
    workload = right(*args)
    owners = [{**owner, "controller": False} for owner in workload["metadata"]["ownerReferences"]]
    return {**workload, "metadata": {**workload["metadata"], "ownerReferences": owners}}


@wrong((workload_construction, "workload_of"), (decide, "follow_queue"))
def names_a_queue_of_its_own(right, *args):
    """Breaks JI-005: sends every job to one queue; JIN-002 must catch it."""
    if right.__name__ == "follow_queue":
        return None
    workload = right(*args)
    return {**workload, "spec": {**workload["spec"], "queueName": "default"}}


@wrong((Job, "pod_count"))
def counts_one_pod(_, self):
    """Breaks JI-006: asks for one pod whatever the job needs; JIN-003[3-pods] must catch it."""
    return 1


@wrong((decide, "delete_others"))
def keeps_the_workload_of_a_namesake(_, snapshot):
    """Breaks JI-004: leaves the Workload of an earlier job of the name where it is;
    JIN-004 must catch it.
    """


@wrong((workload_construction, "workload_of"))
def keeps_no_workload(right, *args):
    """Breaks JI-007: makes a Workload without Kueue's finalizer; JIN-005 should catch it."""
    workload = right(*args)
    return {**workload, "metadata": {**workload["metadata"], "finalizers": []}}


@wrong((PriorityClasses, "of"))
def knows_no_priority_class(_, self, job):
    """Breaks JI-008: takes no notice of the class that a job names; JIN-006 must catch it."""
    return NO_PRIORITY


@wrong((Job, "queue_name"))
def takes_every_job(right, self):
    """Breaks JI-009: makes a Workload for a job without a queue as well; JIN-007 must catch it."""
    return right(self) or "default"


@wrong((workload_construction, "workload_name"))
def calls_all_workloads_alike(_, job):
    """Breaks JI-004: gives the Workloads of all jobs one name; JIN-008 must catch it."""
    return "the-workload"
