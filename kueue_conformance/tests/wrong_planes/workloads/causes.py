"""Wrong about what 0.20 says of a Workload that is not admitted (KV-02…KV-11, KV-31): a 0.20 that still
speaks as 0.19.2, and a 0.19.2 that already speaks as 0.20.
"""

from functools import partial

from reference_impl.kueue import install
from reference_impl.kueue.workload import admitted, unreserved, unreserved_state
from reference_impl.kueue.workload.unreserved import UnreservedReason

from ...killing.planes import wrong
from .definitions import change_definition

newest, before = partial(wrong, dialect="v0.20"), partial(wrong, dialect="v0.19")


def _generic_for(still, named, cause, generic):
    """Return the word of 0.19.2 for one cause, and the name of every other."""
    return generic if cause is still else named(cause, generic)


def _inadmissible_for(still, cause):
    """Return reason and message of a cause, with the word of 0.19.2 for one."""
    return (unreserved.INADMISSIBLE, cause[1]) if cause and cause[0] == still.value else cause


@newest((unreserved, "named_reason"))
def calls_waiting_for_quota_pending(right, *args):
    """Breaks KV-05: a 0.20 that still says Pending where others hold the quota;
    ADM-081[others-hold-the-quota-waiting-for-quota] should catch it.
    """
    return _generic_for(UnreservedReason.WAITING_FOR_QUOTA, right, *args)


@newest((unreserved, "named_reason"))
def calls_too_large_pending(right, *args):
    """Breaks KV-06: a 0.20 that still says Pending where more is asked for than there will ever be;
    ADM-081[more-than-the-queue-will-ever-have-exceeds-max-quota] should catch it.
    """
    return _generic_for(UnreservedReason.EXCEEDS_MAX_QUOTA, right, *args)


@newest((unreserved, "named_reason"))
def calls_unmatched_pending(right, *args):
    """Breaks KV-07: a 0.20 that still says Pending where no flavor matches;
    ADM-081[a-resource-of-no-group-no-matching-flavor] should catch it.
    """
    return _generic_for(UnreservedReason.NO_MATCHING_FLAVOR, right, *args)


@newest((unreserved_state, "_cause"))
def calls_a_missing_queue_inadmissible(right, *args):
    """Breaks KV-09: a 0.20 that still says Inadmissible of a missing LocalQueue;
    ADM-081[no-LocalQueue-misconfigured] should catch it.
    """
    return _inadmissible_for(UnreservedReason.MISCONFIGURED, right(*args))


@newest((unreserved_state, "_cause"))
def calls_a_stopped_queue_inadmissible(right, *args):
    """Breaks KV-10: a 0.20 that still says Inadmissible of a stopped ClusterQueue;
    ADM-081[a-stopped-ClusterQueue-suspended] should catch it.
    """
    return _inadmissible_for(UnreservedReason.SUSPENDED, right(*args))


@newest((admitted, "sync_whenever_known"))
def is_silent_before_the_admission(_, draft, reasons):
    """Breaks KV-02: a 0.20 that still says nothing of an admission that never was;
    ADM-081[others-hold-the-quota-waiting-for-quota] should catch it.
    """
    return admitted.sync(draft, reasons)


@newest((admitted, "sync_whenever_known"))
def is_silent_while_checks_are_asked(right, draft, reasons):
    """Breaks KV-03: a 0.20 that still says nothing of checks that are not ready; ADM-797 should catch it."""
    return admitted.sync(draft, reasons) if draft.is_true("QuotaReserved") else right(draft, reasons)


@newest((unreserved_state, "_cause"))
def says_why_it_was_evicted(right, workload, world):
    """Breaks KV-11: a 0.20 that still has the text of the eviction where quota is told; ADM-798 should catch
    it.
    """
    evicted = workload.condition("Evicted")
    if workload.is_active or not evicted:
        return right(workload, world)
    return unreserved.PENDING, evicted["message"]


@newest((install, "convertible_definitions"))
def still_serves_v1beta1(right, *args):
    """Breaks KV-31: a 0.20 that still serves v1beta1; ADM-799 may catch it."""

    def serve(spec):
        for version in spec["versions"]:
            version["served"] = True

    return change_definition(right(*args), "AdmissionCheck", serve)


@before((unreserved, "generic_reason"))
def names_causes_early(_, cause, _generic):
    """Breaks KV-01: a 0.19.2 that already names the cause for which nothing is reserved;
    ADM-081[others-hold-the-quota-waiting-for-quota] should catch it.
    """
    return cause.value


@before((admitted, "sync"))
def explains_early(_, draft, reasons):
    """Breaks KV-02: a 0.19.2 that already says of a Workload without quota that it is not admitted;
    ADM-081[others-hold-the-quota-waiting-for-quota] should catch it.
    """
    return admitted.sync_whenever_known(draft, reasons)
