"""Wrong about a Job that cannot start yet, whose stop is interrupted, or that names its Workload (AC-336, AC-366)."""

from collections import defaultdict

from reference_impl.jobs import making, prebuilt, starting, stopping
from reference_impl.jobs.action_executor import ActionExecutor

from ...killing.planes import wrong


@wrong((starting, "started"))
def gives_up_without_a_flavor(started, job, workload, flavors):
    """Breaks AC-366: takes a flavor that is missing for a conflict, and ends the Workload; ADM-451 should
    catch it.
    """
    try:
        return started(job, workload, flavors)
    except KeyError as missing:
        raise starting.PodSetConflict(f"no flavor {missing}") from None


@wrong((starting, "started"))
def starts_without_its_flavor(started, job, workload, flavors):
    """Breaks AC-366: starts a Job without what its flavor brings when that is missing; ADM-451 should catch
    it.
    """
    return started(job, workload, defaultdict(dict, flavors))


@wrong((ActionExecutor, "_start"))
async def tries_to_start_once(start, self, job, workload):
    """Breaks AC-366: does not try again to start a Job whose flavor was missing; ADM-451 should catch it."""
    await start(self, job, workload)


@wrong((stopping, "_suspended"))
def marks_no_job_that_it_stops(_, obj):
    """Breaks AC-336: suspends a Job without a mark, so that nothing restores it later; ADM-591 should catch it."""
    return {**obj, "spec": {**obj["spec"], "suspend": True}}


@wrong((prebuilt, "missing"))
def makes_a_workload_where_one_is_named(_, snapshot):
    """Breaks AC-331: makes a Workload for a Job that names one; ADM-593 may catch it."""


@wrong((prebuilt, "out_of_sync"))
def runs_a_job_on_quota_for_other_pods(_, snapshot):
    """Breaks AC-271: does not compare a Job with the Workload that it names; ADM-594 may catch it."""


@wrong((making, "owned_by"))
def takes_the_workload_of_another_job(_, job, workload):
    """Breaks AC-333: starts a Job with a Workload that belongs to another one; ADM-595 may catch it."""
    return True
