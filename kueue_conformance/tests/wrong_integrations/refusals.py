"""Wrong when a write of a Workload is refused, or when something happens meanwhile (JI-073 to JI-077)."""

import asyncio

from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.informer import Informer

from ..killing.planes import wrong
from .faults import INTEGRATION


def once(*codes):
    """Return a write that is not repeated when it was refused so."""

    async def write(right, *args):
        try:
            return await right(*args)
        except ApiError as error:
            if error.code not in codes:
                raise
            return None

    return write


@wrong((ActionExecutor, "_release"))
async def gives_up_a_release_at_a_conflict(right, self, workload):
    """Breaks JI-075: holds quota for ever when giving it back met a conflict;
    JIN-090[409-code] must catch it.
    """
    return await once(409)(right, self, workload)


@wrong((ActionExecutor, "_release"))
async def gives_up_a_release_when_told_to_wait(right, self, workload):
    """Breaks JI-075: holds quota for ever when the server was overloaded as it was given back;
    JIN-090[429-code] must catch it.
    """
    return await once(429)(right, self, workload)


@wrong((ActionExecutor, "finish"))
async def gives_up_an_end_at_a_conflict(right, self, workload, reason, message):
    """Breaks JI-075: does not say of a job that it is over when that met a conflict;
    JIN-091[409-code] must catch it.
    """
    return await once(409)(right, self, workload, reason, message)


@wrong((ActionExecutor, "finish"))
async def gives_up_an_end_at_an_error(right, self, workload, reason, message):
    """Breaks JI-075: does not say of a job that it is over when that failed;
    JIN-091[500-code] must catch it.
    """
    return await once(500)(right, self, workload, reason, message)


@wrong((JobController, "_leave"))
async def lets_go_by_one_try(right, self, workloads):
    """Breaks JI-060: tries once to let the Workload of a deleted job go; JIN-092 must catch it."""
    return await once(409, 429, 500)(right, self, workloads)


_FOLLOWED = set()


def is_watch_of_jobs(informer):
    """Tell whether an informer is the integration's, of jobs."""
    agent = informer._client._headers["User-Agent"]
    return informer.resource.kind == "Job" and agent.startswith(INTEGRATION)


@wrong((Informer, "_follow_or_pause"))
async def opens_no_watch_of_jobs_again(follow, self):
    """Breaks JI-076: does not follow jobs any more when their watch has ended;
    JIN-093[expired] must catch it.
    """
    if is_watch_of_jobs(self) and self in _FOLLOWED:
        await asyncio.Event().wait()
    _FOLLOWED.add(self)
    await follow(self)


@wrong((Informer, "_follow"))
async def is_deaf_to_jobs_after_a_cut(follow, self):
    """Breaks JI-076: does not follow jobs any more when a connection broke; JIN-093[cut] must catch it."""
    try:
        return await follow(self)
    except UnreachableError:
        if is_watch_of_jobs(self):
            await asyncio.Event().wait()
        raise


_WITH_PODS = set()


@wrong((JobController, "reconcile"))
async def frees_quota_of_pods_that_it_saw(reconcile, self, key):
    """Breaks JI-073: gives quota back only where it saw pods end; JIN-094 must catch it."""
    obj = self.jobs.get(key)
    if obj is not None and Job(obj).is_active:
        _WITH_PODS.add((self.jobs, key))
    held = [workload for workload in self._workloads_of(key) if workload.is_evicted]
    return None if held and (self.jobs, key) not in _WITH_PODS else await reconcile(self, key)


_AT_START = set()


@wrong((JobController, "reconcile"))
async def stops_everything_at_its_start(reconcile, self, key):
    """Breaks JI-077: suspends each job that runs when it is first seen; JIN-095 must catch it."""
    obj = self.jobs.get(key)
    if obj is not None and (self.jobs, key) not in _AT_START:
        _AT_START.add((self.jobs, key))
        if not Job(obj).is_suspended:
            await self.executor.hold(Job(obj))
            return None
    return await reconcile(self, key)


_PRESENT = set()


@wrong((JobController, "reconcile"))
async def hears_of_deleted_workloads_alone(reconcile, self, key):
    """Breaks JI-073: misses what was deleted of a Workload while it was down; JIN-096 must catch it."""
    for workload in self._workloads_of(key):
        if not workload.is_deleting:
            _PRESENT.add((self.jobs, workload.uid))
        elif (self.jobs, workload.uid) not in _PRESENT:
            return None
    return await reconcile(self, key)


_AT_FIRST = {}


@wrong((JobController, "reconcile"))
async def trusts_the_workloads_at_its_start(reconcile, self, key):
    """Breaks JI-073: takes what Workloads say at its start for what their jobs need;
    JIN-097 must catch it.
    """
    obj, workloads = self.jobs.get(key), self._workloads_of(key)
    if obj is None:
        return await reconcile(self, key)
    generation = obj["metadata"]["generation"]
    first = _AT_FIRST.setdefault((self.jobs, obj["metadata"]["uid"]), (generation, bool(workloads)))
    return None if first == (generation, True) else await reconcile(self, key)
