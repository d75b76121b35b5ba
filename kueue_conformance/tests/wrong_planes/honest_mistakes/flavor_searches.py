"""Wrong about the search for flavors, and about which Workloads are alike in it (Q-009, Q-032, Q-153,
Q-159).
"""

from reference_impl.api.semantic_equality import are_equal
from reference_impl.kueue.queueing import pending
from reference_impl.kueue.scheduling import flavor_assigner
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import instead, wrong


@wrong((flavor_assigner.FlavorAssigner, "_assume"))
def gives_the_same_quota_to_each_pod_set(_, self, choices, usage):
    """Breaks Q-153: finds for each pod set what is free for all of them together; QUE-045 must catch it."""


instead(
    pending,
    "SHAPING",
    ("nodeSelector", "affinity", "runtimeClassName", "overhead", "resourceClaims"),
    "Breaks Q-009: takes Workloads for equal whose tolerations differ; QUE-285 must catch it.",
    called="takes_others_with_other_tolerations_for_equal",
)


@wrong((pending, "_scheduling_hash"))
def takes_others_of_another_priority_for_equal(scheduling_hash, workload, requests):
    """Breaks Q-009: does not try a Workload when one of lower priority with the same pods did not fit;
    QUE-293 must catch it.
    """
    spec = {**workload.spec, "priority": 0}
    return scheduling_hash(Workload({**workload.object, "spec": spec}), requests)


@wrong((pending, "requeue_on_spec_change"))
def looks_again_at_another_spec_alone(_, old, new, evaluated):
    """Breaks Q-032: does not look again at what waits when its pods are reclaimed; QUE-298 must catch it."""
    return not are_equal(old.workload.spec, new.workload.spec)
