"""Wrong about the queue and the priority class that a job names (JI-016 to JI-018, JI-037, JI-050)."""

from reference_impl.kueue.jobs import decide
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.priority import NO_PRIORITY, PriorityClasses, PriorityClassMissing
from reference_impl.kueue.workload import conditions as c

from ..killing.planes import wrong

_WITHOUT_QUEUE = set()


@wrong((JobController, "reconcile"))
async def forgets_jobs_without_a_queue(reconcile, self, key):
    """Breaks JI-016: never looks again at a job that had no queue when it was created;
    JIN-081 must catch it.
    """
    obj = self.jobs.get(key)
    if obj is not None and not Job(obj).queue_name:
        _WITHOUT_QUEUE.add(obj["metadata"]["uid"])
    return (
        None if obj is not None and obj["metadata"]["uid"] in _WITHOUT_QUEUE else await reconcile(self, key)
    )


@wrong((decide, "follow_priority"))
def leaves_the_priority_of_what_is_evicted(follow, snapshot):
    """Breaks JI-018: keeps the priority of an evicted Workload; JIN-082 must catch it."""
    return None if snapshot.workload is not None and snapshot.workload.is_evicted else follow(snapshot)


@wrong((decide, "follow_priority"))
def gives_no_priority_later(follow, snapshot):
    """Breaks JI-053: follows a job from one class to another, and not from none to one;
    JIN-083 must catch it.
    """
    return (
        None if snapshot.workload is not None and not snapshot.workload.priority_class else follow(snapshot)
    )


@wrong((PriorityClasses, "of"))
def goes_on_without_a_missing_class(of, self, job):
    """Breaks JI-017: takes a class that does not exist for none; JIN-084 must catch it."""
    try:
        return of(self, job)
    except PriorityClassMissing:
        return NO_PRIORITY


@wrong((decide, "follow_priority"))
def leaves_the_priority_of_what_runs(follow, snapshot):
    """Breaks JI-018: keeps the priority of an admitted Workload; JIN-085 must catch it."""
    return None if snapshot.workload is not None and snapshot.workload.is_admitted else follow(snapshot)


def evicts_but_for(reason):
    """Return an eviction that takes no notice of one reason."""

    def evict(right, snapshot):
        evicted = snapshot.workload.condition(c.EVICTED) if snapshot.workload else None
        return None if evicted is not None and evicted["reason"] == reason else right(snapshot)

    return evict


@wrong((decide, "evict"))
def runs_on_when_its_cluster_queue_stops(evict, snapshot):
    """Breaks JI-037: lets a job run whose ClusterQueue is drained; JIN-086[cluster-queue] must catch it."""
    return evicts_but_for("ClusterQueueStopped")(evict, snapshot)


@wrong((decide, "evict"))
def runs_on_when_its_local_queue_stops(evict, snapshot):
    """Breaks JI-037: lets a job run whose LocalQueue is drained; JIN-086[local-queue] must catch it."""
    return evicts_but_for("LocalQueueStopped")(evict, snapshot)


_MOVED = set()


@wrong((decide, "follow_queue"))
def follows_the_queue_once(follow, snapshot):
    """Breaks JI-050: moves a Workload to another queue once; JIN-087 must catch it."""
    step, uid = follow(snapshot), snapshot.job.metadata["uid"]
    if step is None or uid in _MOVED:
        return None
    _MOVED.add(uid)
    return step
