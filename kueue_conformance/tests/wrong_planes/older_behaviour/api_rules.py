"""A newer release whose webhooks and definitions still judge as an older one's."""

from reference_impl.kueue.webhooks import jobs, queues, workloads, writes

from ...killing.planes import wrong
from ..workloads.definitions import without


@wrong((writes, "problems"), dialect="0.21.0")
def still_takes_two_updates_of_a_pod_set(right, rules, *args):
    """Breaks KV-36: two podSetUpdates of a check for one pod set are taken; ADM-780 may catch it."""
    return right(without(rules, workloads.unique_pod_set_updates), *args)


@wrong((queues, "_flavors_by_check"), dialect="v0.20")
def still_lets_a_wrong_flavor_of_a_check_stand(_, write, flavors):
    """Breaks KV-37: a queue with a check for a flavor that it lacks is changed; ADM-782 may catch it."""
    checks = (write.old_spec.get("admissionChecksStrategy") or {}).get("admissionChecks") or ()
    return {check["name"]: set(check.get("onFlavors") or ()) for check in checks}


@wrong((writes, "problems"), dialect="v0.20")
def still_truncates_a_minimum_parallelism(right, rules, *args):
    """Breaks KV-57: of a minimum parallelism the last 32 bits count; ADM-783 may catch it."""
    return right(without(rules, jobs.min_parallelism_of_32_bits), *args)
