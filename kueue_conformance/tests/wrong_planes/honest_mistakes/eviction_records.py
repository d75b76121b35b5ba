"""Wrong about what an eviction leaves in a Workload, and what the next reservation makes of it (AC-273,
AC-288, AC-300, AC-340, AC-344, AC-357).
"""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.checks import entries
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.workload import conditions, eviction

from ...killing.planes import instead, wrong


@wrong((eviction, "_count"))
def counts_evictions_without_their_causes(count, draft, why):
    """Breaks AC-344: counts all evictions of a reason as those of an unknown cause; ADM-558 should catch
    it.
    """
    return count(draft, replace(why, cause=""))


@wrong((entries.Checks, "retry_deadline"))
def waits_for_the_first_retry(_, self):
    """Breaks AC-288: waits as long as the first of several checks in Retry asks; ADM-355 must catch it."""
    delayed = (
        entry for entry in self.entries if entry["state"] == entries.RETRY and "requeueAfterSeconds" in entry
    )
    return next(
        (instants.parse(entry["lastTransitionTime"]) + entry["requeueAfterSeconds"] for entry in delayed),
        None,
    )


@wrong((entries.Checks, "sync"))
def compares_the_number_of_checks(sync, self, required, current_time):
    """Breaks AC-357: takes a list of as many checks for the right one; ADM-002 must catch it."""
    names = frozenset(required)
    return self if len(names) == len(self.names) else sync(self, names, current_time)


instead(
    reservation,
    "OVER_WITH_A_RESERVATION",
    (conditions.EVICTED,),
    "Breaks AC-300: says of a Workload that has quota again that it is preempted; QUE-070 must catch it.",
    called="stays_preempted_with_new_quota",
)


@wrong((conditions, "put"))
def observes_a_generation_with_a_change_alone(put, present, new, generation, current_time):
    """Breaks AC-273: keeps the observedGeneration of a condition whose status stays; ADM-763 should catch
    it.
    """
    old = conditions.find(present, new.type)
    stays = old is not None and old["status"] == ("True" if new.status else "False")
    return put(present, new, old.get("observedGeneration") if stays else generation, current_time)
