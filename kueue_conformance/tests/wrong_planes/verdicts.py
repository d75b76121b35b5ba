"""Wrong about what follows from the verdicts of checks (AC-285, AC-287, AC-291)."""

from dataclasses import replace

from reference_impl.checks.entries import Checks
from reference_impl.workload import eviction, verdicts

from ..killing.planes import wrong


@wrong((Checks, "all_ready"))
def admits_when_one_check_is_ready(_, checks):
    """Breaks AC-285: admits as soon as one check has passed; ADM-201 must catch it."""
    return not checks.entries or any(entry["state"] == "Ready" for entry in checks.entries)


@wrong((verdicts, "rejected"))
def never_deactivates(_, workload, world, now, rules):
    """Breaks AC-291: takes no notice of a check that rejects; ADM-205 must catch it."""
    return


@wrong((verdicts, "retried"))
def never_evicts_for_a_retry(_, workload, world, now, rules):
    """Breaks AC-287: takes no notice of a check that says Retry; ADM-040 must catch it."""
    return


@wrong((eviction, "evict"))
def tells_of_no_eviction(evict, *args):
    """Breaks AC-342: evicts without an event; ADM-050 should catch it."""
    return replace(evict(*args), events=())
