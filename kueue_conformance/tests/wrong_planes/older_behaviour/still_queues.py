"""A v0.20 whose queues still keep places and compare Workloads as those of v0.19.2 do."""

from dataclasses import replace

from reference_impl.kueue import composition
from reference_impl.kueue.queueing import pending
from reference_impl.kueue.quota import usage_cache

from ...killing.planes import wrong


@wrong((composition, "dialect_of"), dialect="v0.20")
def still_keeps_the_place_of_a_preemptor(right, config):
    """Breaks KV-46: a preemptor that no longer fits stays at the head; QUE-361 may catch it."""
    dialect = right(config)
    return replace(dialect, pending=replace(dialect.pending, keeps_sticky_workload=True))


@wrong((composition, "dialect_of"), dialect="v0.20")
def still_compares_the_names_of_pod_sets(right, config):
    """Breaks KV-47: Workloads with other names of pod sets are no equals; QUE-360 may catch it."""
    dialect = right(config)
    return replace(dialect, pending=replace(dialect.pending, hashes_pod_set_names=True))


@wrong((pending, "_scheduling_hash"), dialect="v0.20")
def compares_when_workloads_were_created(scheduling_hash, workload, requests):
    """Breaks KV-47: no two Workloads are equals; QUE-360 may catch it."""
    return f"{workload.metadata['uid']} {scheduling_hash(workload, requests)}"


@wrong((usage_cache, "consumed_by_reserved"), dialect="v0.20")
def still_counts_usage_from_the_admission(_, account):
    """Breaks KV-45: what a Workload holds before its admission is not used; QUE-362 may catch it."""
    return account.admitted_usage
