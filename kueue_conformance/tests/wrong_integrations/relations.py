"""Wrong about prebuilt Workloads, jobs of jobs, replicas and rights (JI-062, JI-078, JI-093, JI-096)."""

import contextlib

from reference_impl.api.kinds import NODES
from reference_impl.kueue.jobs import prebuilt
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.families import JobAncestors
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.steps import Await, Start
from reference_impl.runtime.errors import ApiError

from ..killing.planes import wrong


@wrong((Job, "prebuilt"))
def makes_a_workload_in_any_case(_, self):
    """Breaks JI-093: makes a Workload although the job names one; JIN-116 must catch it."""
    return ""


@wrong((prebuilt, "missing"))
def makes_what_is_missing(_, snapshot):
    """Breaks JI-102: makes a Workload of its own when the named one is missing; JIN-117 must catch it."""


@wrong((prebuilt, "out_of_sync"))
def runs_by_any_prebuilt_workload(_, snapshot):
    """Breaks JI-093: runs by a prebuilt Workload that asks for something else; JIN-118 must catch it."""


@wrong((prebuilt, "adopt"))
def runs_by_the_workload_of_another_job(adopt, snapshot):
    """Breaks JI-102: runs by the Workload of another job that it names; JIN-119 must catch it."""
    step, workload = adopt(snapshot), snapshot.workload
    foreign = isinstance(step, Await) and workload is not None and workload.is_admitted
    return Start(workload) if foreign and snapshot.job.is_suspended else step


@wrong((JobAncestors, "ancestor"))
def gives_each_job_a_workload(_, self, job):
    """Breaks JI-096: makes a Workload for a job of a job as well; JIN-120 must catch it."""


@wrong((JobController, "_follow"))
async def lets_children_run(_, self, job, ancestor):
    """Breaks JI-096: lets a job of a job run whatever the one above does; JIN-120 must catch it."""


@wrong((JobController, "_follow"))
async def holds_children(_, self, job, ancestor):
    """Breaks JI-096: holds a job of a job back for ever; JIN-121 must catch it."""
    if not job.is_suspended:
        await self.executor.hold(job)


_HELD = set()


@wrong((JobController, "reconcile"))
async def stops_what_another_replica_started(reconcile, self, key):
    """Breaks JI-078: suspends each job that it sees run for the first time; JIN-124 must catch it."""
    obj = self.jobs.get(key)
    # Once for each replica: two that stop what the other one starts would do so for ever.
    if obj is not None and not Job(obj).is_suspended and (self.jobs, key) not in _HELD:
        _HELD.add((self.jobs, key))
        await self.executor.hold(Job(obj))
        return None
    return await reconcile(self, key)


_FIRST_REPLICAS = {}


@wrong((JobController, "reconcile"))
async def waits_for_the_first_replica(reconcile, self, key):
    """Breaks JI-078: does nothing where another replica was the first; JIN-125 must catch it."""
    first = _FIRST_REPLICAS.setdefault(key.namespace, self.jobs)
    return await reconcile(self, key) if first == self.jobs else None


@wrong((JobController, "reconcile"))
async def looks_at_nodes(reconcile, self, key):
    """Breaks JI-062: lists Nodes, which are none of its business; JIN-126 should catch it."""
    with contextlib.suppress(ApiError):
        await self.executor.client.list(NODES)
    return await reconcile(self, key)
