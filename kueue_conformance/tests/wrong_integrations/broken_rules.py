"""Wrong in a moment that no statement of a scenario looks at, and a safety rule does."""

from dataclasses import replace

from reference_impl.api.kinds import JOBS, RESOURCE_IN_USE, WORKLOADS
from reference_impl.kueue.jobs import decide, starting, stopping, workload_construction
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.priority import NO_PRIORITY
from reference_impl.kueue.jobs.steps import DeleteWorkloads, Finish, ForgetWorkload, Stop
from reference_impl.kueue.workload import conditions as c

from ..killing.planes import wrong
from .evictions import keeps, releases_at_once
from .starts import unsuspend

OTHER_WORDS = "that is all"
MARK = "example.com/done"
_DONE = set()


def is_first(client, document):
    """Tell whether an integration, known by its client, does something to an object for the first time."""
    key = client, document["metadata"]["uid"]
    is_new = key not in _DONE
    _DONE.add(key)
    return is_new


def is_marked(job):
    """Tell whether a job was written by one of those below."""
    return MARK in job.annotations


def mark(document):
    """Return a job with an annotation that tells what was done once already."""
    metadata = document["metadata"]
    annotations = {**(metadata.get("annotations") or {}), MARK: "yes"}
    return {**document, "metadata": {**metadata, "annotations": annotations}}


def named(workload, name):
    """Return a Workload that can be created under another name."""
    metadata = {key: workload["metadata"][key] for key in ("namespace", "labels", "ownerReferences")}
    return {
        **{key: workload[key] for key in ("apiVersion", "kind", "spec")},
        "metadata": {**metadata, "name": f"{workload['metadata']['name']}-{name}"},
    }


@wrong((ActionExecutor, "_create"))
async def makes_two_workloads_at_first(create, self, job, priority, timeouts_annotation):
    """Breaks JI-002: makes a second Workload beside the first, and deletes it; rule JI-002 in JIN-011 must
    catch it.
    """
    result = await create(self, job, priority, timeouts_annotation)
    if is_first(self.client, job.object):
        workload = workload_construction.workload_of(job, priority, timeouts_annotation)
        await self.client.create(WORKLOADS, named(workload, "second"))
    return result


@wrong((ActionExecutor, "_create"))
async def makes_a_workload_of_nobody(create, self, job, priority, timeouts_annotation):
    """Breaks JI-003: makes a Workload without owner, deletes it, and makes another; rule JI-003 in JIN-011
    must catch it.
    """
    workload = named(workload_construction.workload_of(job, priority, timeouts_annotation), "draft")
    metadata = {key: value for key, value in workload["metadata"].items() if key != "ownerReferences"}
    created = await self.client.create(WORKLOADS, {**workload, "metadata": metadata})
    await self.client.delete(WORKLOADS, Job(created).key)
    return await create(self, job, priority, timeouts_annotation)


@wrong((workload_construction, "workload_of"))
def names_the_queue_later(workload_of, job, priority, timeouts_annotation=""):
    """Breaks JI-005: makes a Workload in another queue, and moves it; rule JI-005 in JIN-011 must catch
    it.
    """
    workload = workload_of(job, priority, timeouts_annotation)
    return {**workload, "spec": {**workload["spec"], "queueName": "default"}}


@wrong((workload_construction, "workload_of"))
def counts_the_pods_later(workload_of, job, priority, timeouts_annotation=""):
    """Breaks JI-006: makes a Workload with one pod more, and corrects it; rule JI-006 in JIN-010 must catch
    it.
    """
    workload = workload_of(job, priority, timeouts_annotation)
    first, *others = workload["spec"]["podSets"]
    pod_sets = [{**first, "count": first["count"] + 1}, *others]
    return {**workload, "spec": {**workload["spec"], "podSets": pod_sets}}


@wrong((JobController, "reconcile"))
async def marks_what_names_no_queue(reconcile, self, key):
    """Breaks JI-009: annotates jobs that name no queue; rule JI-009 in JIN-081 must catch it."""
    obj = self.jobs.get(key)
    if obj is not None and not Job(obj).queue_name and is_first(self.executor.client, obj):
        await self.executor.client.patch(
            JOBS, key, {"metadata": {"annotations": {"example.com/seen": "yes"}}}
        )
    return await reconcile(self, key)


@wrong((decide, "start"))
def starts_for_a_moment(start, snapshot):
    """Breaks JI-010: starts a job that waits, and stops it at once; rule JI-010 in JIN-053 must catch it."""
    workload, job = snapshot.workload, snapshot.job
    if workload is not None and job.is_suspended and not is_marked(job):
        (write,) = unsuspend(snapshot).writes
        return Stop((replace(write, object=mark(write.object)),), "")
    return start(snapshot)


def with_more(change):
    """Return a start that adds more to pods than the admission says."""

    def add(right, workload, flavors):
        return [change(info) for info in right(workload, flavors)]

    return add


@wrong((starting, "pod_set_infos"))
def adds_a_node_label(right, workload, flavors):
    """Breaks JI-020: starts pods with one node label more; rule JI-020 in JIN-021 must catch it."""
    more = with_more(
        lambda info: replace(info, node_selector={**info.node_selector, "example.com/pool": "x"})
    )
    return more(right, workload, flavors)


@wrong((starting, "pod_set_infos"))
def adds_a_toleration(right, workload, flavors):
    """Breaks JI-021: starts pods with one toleration more; rule JI-021 in JIN-020 must catch it."""
    every = {"operator": "Exists", "effect": "NoSchedule"}
    more = with_more(lambda info: replace(info, tolerations=(*info.tolerations, every)))
    return more(right, workload, flavors)


@wrong((starting, "pod_set_infos"))
def adds_a_label(right, workload, flavors):
    """Breaks JI-022: starts pods with one label more; rule JI-022 in JIN-020 must catch it."""
    more = with_more(lambda info: replace(info, labels={**info.labels, "example.com/started-by": "us"}))
    return more(right, workload, flavors)


@wrong((stopping, "_restore"))
def restores_no_node_labels(right, obj, workload):
    """Breaks JI-031: leaves the node labels of the flavor that comes again; rule JI-031 in JIN-039 must
    catch it.
    """
    return keeps("nodeSelector")(right, obj, workload)


@wrong((decide, "evict"))
def frees_quota_of_what_is_tried_again(evict, snapshot):
    """Breaks JI-032: gives the quota of an evicted job back while pods end; rule JI-032 in JIN-115 must
    catch it.
    """
    return releases_at_once(snapshot) or evict(snapshot)


@wrong((decide, "evict"))
def replaces_what_is_tried_again(evict, snapshot):
    """Breaks JI-039: deletes the Workload that a check sends back, and makes a new one; rule JI-039 in
    JIN-036 must catch it.
    """
    workload = snapshot.workload
    is_released = workload is not None and workload.is_evicted and not workload.has_quota_reservation
    return DeleteWorkloads((workload,)) if is_released and not snapshot.job.is_active else evict(snapshot)


@wrong((decide, "job_finished"))
def calls_every_end_a_failure(job_finished, snapshot):
    """Breaks JI-041: says Failed of what has succeeded; rule JI-040 in JIN-043 must catch it."""
    step = job_finished(snapshot)
    return replace(step, reason="Failed") if isinstance(step, Finish) else step


@wrong((decide, "workload_finished"))
def tells_the_end_in_other_words(workload_finished, snapshot):
    """Breaks JI-043: writes Finished again with another message; rule JI-043 in JIN-043 should catch it."""
    workload = snapshot.workload
    if (
        workload is not None
        and workload.is_finished
        and workload.condition(c.FINISHED)["message"] != OTHER_WORDS
    ):
        return Finish(workload, "Succeeded", OTHER_WORDS)
    return workload_finished(snapshot)


@wrong((ActionExecutor, "finish"))
async def makes_a_workload_for_what_is_over(finish, self, workload, reason, message):
    """Breaks JI-044: makes another Workload when a job has ended, and deletes it; rule JI-044 in JIN-043 must
    catch it.
    """
    await finish(self, workload, reason, message)
    if is_first(self.client, workload.object):
        await self.client.create(WORKLOADS, named(workload.object, "over"))


@wrong((decide, "workload_deleted"))
def lets_go_before_the_stop(workload_deleted, snapshot):
    """Breaks JI-061: lets a deleted Workload go, and stops its job afterwards; rule JI-061 in JIN-061 must
    catch it.
    """
    workload = snapshot.workload
    if (
        workload is not None
        and workload.is_deleting
        and RESOURCE_IN_USE in workload.metadata.get("finalizers", ())
    ):
        return ForgetWorkload(workload)
    return workload_deleted(snapshot)


@wrong((ActionExecutor, "_stop"))
async def makes_the_next_workload_while_it_stops(stop, self, job, writes, message):
    """Breaks JI-066: makes a Workload when its job is stopped, deletes it, and makes one when its pods have
    ended; rule JI-066 in JIN-061 must catch it.
    """
    try:
        await stop(self, job, writes, message)
    finally:
        # The pod template can be restored, and the stop succeeds, only when no pod is left.
        if job.is_active and is_first(self.client, job.object):
            workload = workload_construction.workload_of(job, NO_PRIORITY)
            created = await self.client.create(WORKLOADS, named(workload, "next"))
            await self.client.delete(WORKLOADS, Job(created).key)


@wrong((decide, "start"))
def starts_what_runs_again(start, snapshot):
    """Breaks JI-077: stops a job that runs, and starts it again; rule JI-077 in JIN-115 must catch it."""
    workload, job = snapshot.workload, snapshot.job
    if (
        workload is None
        or job.is_suspended
        or not workload.is_admitted
        or not job.is_active
        or is_marked(job)
    ):
        return start(snapshot)
    stop = snapshot.stop(workload, "")
    return Stop(tuple(replace(write, object=mark(write.object)) for write in stop.writes), "")


@wrong((ActionExecutor, "_start"))
async def writes_what_is_there(start, self, job, workload):
    """Breaks JI-080: writes a Workload three times without a change; rule JI-080 in JIN-011 should catch
    it.
    """
    for _ in range(3):
        await self.client.update(WORKLOADS, workload.object)
    return await start(self, job, workload)


@wrong((ActionExecutor, "_start"))
async def clears_labels_of_others(start, self, job, workload):
    """Breaks JI-082: removes labels of others from a job that it starts; rule JI-082 in JIN-011 must catch
    it.
    """
    others = {name: None for name in job.labels if not name.startswith("kueue.x-k8s.io/")}
    await self.client.patch(JOBS, job.key, {"metadata": {"labels": others}})
    return await start(self, job, workload)


@wrong((ActionExecutor, "_start"))
async def counts_up_without_end(start, self, job, workload):
    """Breaks JI-083: writes a job again and again before it starts it; rule JI-083 in JIN-011 must catch
    it.
    """
    if is_first(self.client, job.object):
        for number in range(25):
            patch = {"metadata": {"annotations": {"example.com/try": f"{number}"}}}
            await self.client.patch(JOBS, job.key, patch)
    return await start(self, job, workload)
