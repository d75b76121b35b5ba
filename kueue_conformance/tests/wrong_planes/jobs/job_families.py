"""Wrong about Jobs that belong to Jobs (AC-331, AC-335)."""

from reference_impl.kueue.jobs import families
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.families import JobAncestors
from reference_impl.kueue.jobs.job import Job

from ...killing.planes import wrong


@wrong((JobAncestors, "ancestor"))
def looks_at_the_parent_alone(_, self, job):
    """Breaks AC-331: looks one Job up, and no further; ADM-736[with+without+without] must catch it."""
    parent = self._above(job)
    return parent if parent is not None and parent.queue_name else None


@wrong((JobAncestors, "ancestor"))
def follows_the_nearest_job_with_a_queue(_, self, job):
    """Breaks AC-331: takes the nearest Job with a queue for the one with the Workload, and not the topmost;
    ADM-736[with+with+without] must catch it.
    """
    above = self._above(job)
    while above is not None and not above.queue_name:
        above = self._above(above)
    return above


@wrong((JobAncestors, "ancestor"))
def looks_two_jobs_up(ancestor, self, job):
    """Breaks AC-331: does not find a Job with a queue that is three above;
    ADM-736[with+without+without+without] must catch it.
    """
    topmost, above = None, job
    for _ in range(2):
        above = above and self._above(above)
        topmost = above if above is not None and above.queue_name else topmost
    return topmost


@wrong((JobAncestors, "ancestor"))
def ends_at_a_job_without_a_queue(_, self, job):
    """Breaks AC-331: looks no further up than to a Job without a queue;
    ADM-736[with+without+with] must catch it.
    """
    topmost, above = None, self._above(job)
    while above is not None and above.queue_name:
        topmost, above = above, self._above(above)
    return topmost


@wrong((JobAncestors, "ancestor"))
def takes_the_top_with_or_without_a_queue(_, self, job):
    """Breaks AC-331: takes the topmost Job for the one with the Workload, although it names no queue;
    ADM-736[without+with+without] must catch it.
    """
    topmost, above = None, self._above(job)
    while above is not None:
        topmost, above = above, self._above(above)
    return topmost


@wrong((JobAncestors, "ancestor"))
def makes_a_workload_for_each_job_with_a_queue(ancestor, self, job):
    """Breaks AC-331: makes a Workload for every Job that names a queue, wherever it belongs;
    ADM-736[with+with] must catch it.
    """
    return None if job.queue_name else ancestor(self, job)


@wrong((families, "parent_of"))
def takes_every_owner_for_a_parent(_, obj):
    """Breaks AC-331: takes a Job that does not control another for its parent;
    ADM-737[managed-job-that-does-not-control-it] must catch it.
    """
    owners = obj["metadata"].get("ownerReferences") or ()
    return next((owner for owner in owners if owner["kind"] == "Job"), None)


@wrong((JobAncestors, "_above"))
def knows_parents_by_their_names(_, self, job):
    """Breaks AC-331: takes a Job of the name of the owner for it, whatever kind that is;
    ADM-737[namesake-of-another-kind] must catch it.
    """
    owners = job.metadata.get("ownerReferences") or ()
    named = (self.jobs.get(job.key._replace(name=owner["name"])) for owner in owners)
    return next((Job(obj) for obj in named if obj is not None), None)


@wrong((JobAncestors, "_above"))
def finds_parents_in_every_namespace(_, self, job):
    """Breaks AC-331: takes a Job of any namespace for the owner of that name;
    ADM-737[namesake-in-another-namespace] must catch it.
    """
    owner = families.parent_of(job.object)
    named = [Job(obj) for obj in self.jobs if owner and obj["metadata"]["name"] == owner["name"]]
    return max(named, key=lambda candidate: candidate.queue_name, default=None)


async def follow(controller, job, is_let_run):
    """Hold a Job back unless a Workload of the one above it lets it run."""
    above = controller._workloads_of(controller.families.ancestor(job).key)
    if not (any(map(is_let_run, above)) or job.is_suspended):
        await controller.executor.hold(job)


@wrong((JobController, "_follow"))
async def runs_what_is_below_a_reservation(_, self, job, ancestor):
    """Breaks AC-335: lets Jobs run when quota is reserved for the one above them; ADM-736 must catch it."""
    await follow(self, job, lambda workload: workload.has_quota_reservation)


@wrong((JobController, "_follow"))
async def never_stops_what_is_below(_, self, job, ancestor):
    """Breaks AC-335: lets Jobs run below one that has ever been admitted; ADM-736 must catch it."""
    await follow(self, job, lambda workload: workload.is_admitted or workload.is_evicted)
