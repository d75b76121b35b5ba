"""Wrong about a Job that cannot start yet, or whose stop is interrupted (AC-336, AC-366)."""

from collections import defaultdict

from reference_impl.kueue.jobs import starting, stopping
from reference_impl.kueue.jobs.action_executor import ActionExecutor

from ...killing.planes import wrong


@wrong((starting, "start"))
def gives_up_without_a_flavor(started, job, workload, flavors):
    """Breaks AC-366: takes a flavor that is missing for a conflict,
    and ends the Workload; ADM-451 should catch it.
    """
    try:
        return started(job, workload, flavors)
    except KeyError as missing:
        raise starting.PodSetConflict(f"no flavor {missing}") from None


@wrong((starting, "start"))
def starts_without_its_flavor(started, job, workload, flavors):
    """Breaks AC-366: starts a Job without what its flavor
    brings when that is missing; ADM-451 should catch it.
    """
    return started(job, workload, defaultdict(dict, flavors))


@wrong((ActionExecutor, "_start"))
async def tries_to_start_once(start, self, job, workload):
    """Breaks AC-366: does not try again to start a Job whose flavor was missing; ADM-451 should catch it."""
    await start(self, job, workload)


@wrong((stopping, "_suspend"))
def marks_no_job_that_it_stops(_, obj):
    """Breaks AC-336: suspends a Job without a mark,
    so that nothing restores it later; ADM-591 should catch it.
    """
    return {**obj, "spec": {**obj["spec"], "suspend": True}}
