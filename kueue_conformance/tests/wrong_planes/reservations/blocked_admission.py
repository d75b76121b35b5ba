"""Wrong about admissions that wait for the pods of others (Q-231)."""

from dataclasses import replace

from reference_impl.kueue.quota.usage_cache import UsageCache
from reference_impl.kueue.scheduling import reservation, texts
from reference_impl.kueue.scheduling.cycle import Cycle
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.release import give_back

from ...killing.planes import wrong


@wrong((UsageCache, "are_all_pods_ready"))
def takes_all_pods_for_ready(_, ledger):
    """Breaks Q-231: admits without a look at the pods of others; QUE-266 must catch it."""
    return True


@wrong((Cycle, "_process"))
def looks_at_pods_once_in_a_cycle(process, cycle, entries):
    """Breaks S-095: admits whatever fits at one moment once all pods are ready; QUE-267 must catch it."""
    blocks = cycle.block_admission and not cycle.ledger.are_all_pods_ready
    return process(replace(cycle, block_admission=blocks), entries)


@wrong((reservation, "block"))
def says_that_it_is_pending(_, workload, rules, current_time):
    """Breaks AC-255: gives what waits for pods the reason of what waits for quota; QUE-266 must catch it."""
    draft = StatusDraft.of(workload, current_time)
    return give_back(draft, "Pending", texts.WAITING_FOR_PODS_READY, rules)
