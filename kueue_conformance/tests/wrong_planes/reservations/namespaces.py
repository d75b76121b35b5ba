"""Wrong about what belongs to a namespace and what to the cluster (AC-240, Q-090, Q-091)."""

from reference_impl.kueue.jobs.controller import JobController
from reference_impl.kueue.jobs.priority import PriorityClassMissing
from reference_impl.kueue.quota.catalogue import Catalogue

from ...killing.planes import wrong

OWNERS: dict[str, str] = {}
"""The namespace that has named a class first, by the class."""


@wrong((Catalogue, "limit_ranges"))
def applies_limit_ranges_of_every_namespace(_, self, namespace):
    """Breaks Q-091: pods have the bounds and defaults of all namespaces; QUE-605 must catch it."""
    return [item for ranges in self._limit_ranges.values() for item in ranges.values()]


@wrong((Catalogue, "set_limit_range"))
def knows_limit_ranges_by_their_names(right, self, namespace, name, obj):
    """Breaks AC-240: a LimitRange replaces that of its name in another namespace; QUE-605 must catch it."""
    for other in [*self._limit_ranges]:
        right(self, other, name, None)
    right(self, namespace, name, obj)


@wrong((JobController, "_priority"))
def keeps_classes_in_the_first_namespace(right, self, job):
    """Breaks AC-240: a WorkloadPriorityClass belongs to the namespace that names it first;
    QUE-606 must catch it.
    """
    name, namespace = job.labels.get("kueue.x-k8s.io/priority-class"), job.object["metadata"]["namespace"]
    if name and OWNERS.setdefault(name, namespace) != namespace:
        return PriorityClassMissing(name)
    return right(self, job)
