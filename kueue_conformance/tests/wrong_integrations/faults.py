"""Wrong when a request fails, a watch ends, or the integration was down (JI-070 to JI-081)."""

import asyncio

from reference_impl.api.kinds import WORKLOADS
from reference_impl.kueue.jobs import workload_construction
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.informer import Informer

from ..killing.planes import wrong

INTEGRATION = "job-integration"
HOUR = 3600.0


def gives_up(*codes):
    """Return a start that is not repeated when it was refused so."""

    async def start(right, self, job, workload):
        try:
            return await right(self, job, workload)
        except ApiError as error:
            if error.code not in codes:
                raise
            return RequeueAfter(HOUR)

    return start


@wrong((ActionExecutor, "_start"))
async def gives_up_at_a_conflict(right, self, job, workload):
    """Breaks JI-070: does not repeat a start that met a conflict; JIN-070[409-code] must catch it."""
    return await gives_up(409)(right, self, job, workload)


@wrong((ActionExecutor, "_start"))
async def gives_up_when_told_to_wait(right, self, job, workload):
    """Breaks JI-074: does not repeat a start at an overloaded server; JIN-070[429-code] must catch it."""
    return await gives_up(429)(right, self, job, workload)


@wrong((ActionExecutor, "_start"))
async def gives_up_at_an_error(right, self, job, workload):
    """Breaks JI-070: does not repeat a start that has failed; JIN-070[500-code] must catch it."""
    return await gives_up(500)(right, self, job, workload)


@wrong((ActionExecutor, "_create"))
async def tries_under_another_name(create, self, job, priority, timeouts_annotation):
    """Breaks JI-071: makes a Workload of another name where the answer is an error;
    JIN-071[failed-after-it] must catch it.
    """
    try:
        return await create(self, job, priority, timeouts_annotation)
    except ApiError:
        workload = workload_construction.workload_of(job, priority, timeouts_annotation)
        name = f"{workload['metadata']['name']}-again"
        await self.client.create(WORKLOADS, {**workload, "metadata": {**workload["metadata"], "name": name}})
    return None


@wrong((ActionExecutor, "_create"))
async def makes_no_second_try(create, self, job, priority, timeouts_annotation):
    """Breaks JI-071: does not make a Workload that could not be made at first;
    JIN-071[500-how] must catch it.
    """
    try:
        return await create(self, job, priority, timeouts_annotation)
    except ApiError:
        return RequeueAfter(HOUR)


_FOLLOWED = set()


def is_watch_of_the_integration(informer):
    """Tell whether an informer is the integration's, of Workloads; the Kueue beside it stays right."""
    agent = informer._client._headers["User-Agent"]
    return informer.resource.kind == "Workload" and agent.startswith(INTEGRATION)


@wrong((Informer, "_follow_or_pause"))
async def opens_no_watch_again(follow, self):
    """Breaks JI-072: does not follow Workloads any more when their watch has ended;
    JIN-072 must catch it.
    """
    if is_watch_of_the_integration(self) and self in _FOLLOWED:
        await asyncio.Event().wait()
    _FOLLOWED.add(self)
    await follow(self)


@wrong((Informer, "_follow"))
async def goes_on_where_it_was_cut(follow, self):
    """Breaks JI-072: is deaf behind a connection that broke; JIN-078 must catch it."""
    try:
        return await follow(self)
    except UnreachableError:
        if is_watch_of_the_integration(self):
            await asyncio.Event().wait()
        raise


_WAITED = set()


@wrong((JobController, "reconcile"))
async def starts_what_it_saw_wait(reconcile, self, key):
    """Breaks JI-073: starts a job only where it saw it wait; JIN-073 must catch it."""
    obj, is_admitted = self.jobs.get(key), any(each.is_admitted for each in self._workloads_of(key))
    if obj is None or not Job(obj).is_suspended:
        return await reconcile(self, key)
    if not is_admitted:
        _WAITED.add((self.jobs, obj["metadata"]["uid"]))
    return await reconcile(self, key) if (self.jobs, obj["metadata"]["uid"]) in _WAITED else None


_ADMITTED = set()


@wrong((JobController, "reconcile"))
async def evicts_what_it_saw_admitted(reconcile, self, key):
    """Breaks JI-073: stops an evicted job only where it saw it admitted before; JIN-074 must catch it."""
    for workload in self._workloads_of(key):
        if not workload.is_evicted:
            _ADMITTED.add((self.jobs, workload.uid))
        elif (self.jobs, workload.uid) not in _ADMITTED:
            return None
    return await reconcile(self, key)


_TRUSTED = set()


@wrong((JobController, "reconcile"))
async def trusts_what_runs_at_its_start(reconcile, self, key):
    """Breaks JI-073: takes a job that runs when it is first seen for one that was admitted;
    JIN-075 must catch it.
    """
    obj = self.jobs.get(key)
    if obj is not None and not obj["spec"].get("suspend") and not self._workloads_of(key):
        _TRUSTED.add(obj["metadata"]["uid"])
    return None if obj is not None and obj["metadata"]["uid"] in _TRUSTED else await reconcile(self, key)


@wrong((ActionExecutor, "_stop"))
async def gives_up_a_stop(stop, self, job, writes, message):
    """Breaks JI-070: takes a job whose stop has failed for stopped; JIN-076 must catch it."""
    try:
        await stop(self, job, writes, message)
    except ApiError:
        return


_FAILED = {}


@wrong((JobController, "reconcile"))
async def stays_with_a_job_until_it_is_done(reconcile, self, key):
    """Breaks JI-081: looks at no other job until the one is written whose write has failed;
    JIN-077 must catch it.
    """
    if _FAILED.get(self.jobs, key) != key:
        return RequeueAfter(1.0)
    try:
        result = await reconcile(self, key)
    except ApiError:
        _FAILED[self.jobs] = key
        raise
    _FAILED.pop(self.jobs, None)
    return result
