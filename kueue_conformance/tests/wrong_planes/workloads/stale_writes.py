"""Wrong about writes that overwrite what came after their read (AC-359, AC-370, AC-373)."""

from functools import partial
from unittest.mock import patch

from reference_impl.api.kinds import WORKLOADS
from reference_impl.kueue.jobs.action_executor import ActionExecutor
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import writing
from reference_impl.kueue.workload.decision import ApplyStatus, ReplaceStatus

from ...killing.planes import wrong


async def apply_over(perform, client, workload, write, rules, condition):
    """Apply a status that makes a condition True on any revision, and others as the right one does."""
    is_meant = isinstance(write, ApplyStatus) and c.is_true(write.status.get("conditions") or (), condition)
    if not is_meant or workload.is_true(condition):
        return await perform(client, workload, write, rules)
    return await writing.apply_status(client, workload, rules.prune_status(write.status), strict=False)


@wrong((writing, "perform"))
async def admits_over_a_newer_verdict(perform, *args):
    """Breaks AC-370: admits by the verdicts that it has read, and writes them over newer ones;
    ADM-738[admission-and-Retry] must catch it.
    """
    return await apply_over(perform, *args, c.ADMITTED)


@wrong((writing, "perform"))
async def evicts_over_a_newer_verdict(perform, *args):
    """Breaks AC-370: resets the checks of what it evicts, whatever they say by then;
    ADM-738[eviction-and-Rejected] must catch it.
    """
    return await apply_over(perform, *args, c.EVICTED)


@wrong((writing, "perform"))
async def changes_lists_over_newer_verdicts(perform, client, workload, write, rules):
    """Breaks AC-359: writes the list of checks as it has read it, with what has changed;
    ADM-738[list-and-Ready] must catch it.
    """
    if not isinstance(write, ReplaceStatus):
        return await perform(client, workload, write, rules)
    status = {"admissionChecks": write.status.get("admissionChecks")}
    return await client.patch(WORKLOADS, workload.api_key, {"status": status}, subresource="status")


async def set_whole_status(apply, executor, workload, status, manager, field):
    """Write a field of the status with all others as they were read, and others as the right one does."""
    if field not in status:
        return await apply(executor, workload, status, manager)
    changed = {kind["type"]: kind for kind in (*workload.conditions, *status.get("conditions", ()))}
    body = {"status": {**workload.status, **status, "conditions": [*changed.values()]}}
    return await executor.client.patch(WORKLOADS, workload.api_key, body, subresource="status")


@wrong((ActionExecutor, "_apply"))
async def sets_pods_ready_over_a_newer_verdict(apply, self, *args):
    """Breaks AC-373: writes PodsReady with all of the status that it has read;
    ADM-738[pods-ready-and-Retry] must catch it.
    """
    return await set_whole_status(apply, self, *args, "conditions")


@wrong((ActionExecutor, "_apply"))
async def sets_reclaimable_pods_over_a_newer_verdict(apply, self, *args):
    """Breaks AC-373: writes reclaimable pods with all of the status that it has read;
    ADM-738[reclaimable-pods-and-Retry] must catch it.
    """
    return await set_whole_status(apply, self, *args, "reclaimablePods")


@wrong((writing, "perform"))
async def requeues_over_a_newer_verdict(perform, *args):
    """Breaks AC-370: says Requeued with the checks as it has read them;
    ADM-738[requeue-and-Ready] must catch it.
    """
    return await apply_over(perform, *args, c.REQUEUED)


@wrong((ActionExecutor, "_release"))
async def releases_over_a_newer_verdict(release, self, workload):
    """Breaks AC-370: releases the quota of a Job with the checks as it has read them;
    ADM-738[release-and-Ready] must catch it.
    """
    with patch.object(writing, "apply_status", partial(writing.apply_status, strict=False)):
        await release(self, workload)


@wrong((writing, "perform"))
async def repeats_a_write_that_met_a_conflict(perform, client, workload, write, rules):
    """Breaks AC-370: answers a conflict with the same status for the newer revision;
    ADM-738[admission-and-Rejected] must catch it.
    """
    if not isinstance(write, ApplyStatus):
        return await perform(client, workload, write, rules)
    return await writing.apply_status(client, workload, rules.prune_status(write.status), strict=False)
