"""Wrong about objects of the same name in another namespace: known by the name alone (AC-240, Q-002)."""

from dataclasses import replace

from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.snapshot import JobSnapshot
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView

from ...killing.planes import wrong


@wrong((JobController, "_workloads_of"))
def finds_workloads_by_the_name_of_their_job(_, self, key):
    """Breaks AC-331: takes the Workloads of every Job of a name for one Job's; ADM-710 must catch it."""
    return [
        Workload(workload)
        for workload in self.workloads
        for owner in workload["metadata"].get("ownerReferences") or ()
        if owner["name"] == key.name
    ]


@wrong((Workload, "key"))
def knows_workloads_by_their_names(_, self):
    """Breaks Q-002: keeps what it counts by the names of Workloads; ADM-710 must catch it."""
    return f"all/{self.name}"


@wrong((WorldReader, "of"))
def looks_at_the_first_local_queue_of_a_name(world_of, self, workload):
    """Breaks AC-334: asks any LocalQueue of the name whether it is stopped; ADM-710 must catch it."""
    local_queues = [queue for queue in self.local_queues if queue["metadata"]["name"] == workload.queue_name]
    world = world_of(self, workload)
    return replace(world, local_queue=QueueView.of(local_queues[-1])) if local_queues else world


@wrong((Queues, "remove_local_queue"))
def stops_every_local_queue_of_a_name(remove, self, key):
    """Breaks Q-062: takes the LocalQueues of all namespaces away when one of their name is stopped;
    ADM-711 must catch it.
    """
    name = key.partition("/")[2]
    for local_queue in [*self.local_queues]:
        if local_queue.partition("/")[2] == name:
            remove(self, local_queue)


@wrong((JobController, "_snapshot"))
def takes_a_prebuilt_workload_of_any_namespace(snapshot_of, self, job, owned):
    """Breaks AC-331: looks for the Workload that a Job names in every namespace; ADM-712 must catch it."""
    named = [Workload(item) for item in self.workloads if item["metadata"]["name"] == job.prebuilt]
    if not job.prebuilt or not named:
        return snapshot_of(self, job, owned)
    return JobSnapshot.of(
        job,
        named[:1],
        self._priority(job),
        waits_for_pods=self.waits_for_pods,
        rules=self.job_rules,
    )
