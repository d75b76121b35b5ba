"""Wrong about changes of what queues refer to: flavors, namespaces, priority classes (AC-180, AC-401,
Q-051).
"""

from reference_impl.api.kinds import WORKLOADS
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queues.priority_classes import PriorityClasses
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((Catalogue, "using_flavor"))
def looks_for_flavors_in_the_first_group(_, self, flavor):
    """Breaks AC-401: lets a flavor go that the second resource group of a ClusterQueue uses;
    ADM-105[renamed-2-group] must catch it.
    """
    return tuple(
        name
        for name, spec in self.cluster_queues.items()
        if any(flavor in group.flavors for group in spec.groups.groups[:1])
    )


@wrong((EventHandlers, "namespace"))
def keeps_the_first_labels_of_a_namespace(namespace, self, old, new):
    """Breaks Q-051: selects namespaces by the labels that they were created with; ADM-405 must catch it."""
    if old is None or new is None:
        namespace(self, old, new)


@wrong((PriorityClasses, "reconcile"))
async def changes_the_priority_of_what_waits_alone(_, self, key):
    """Breaks AC-180: does not give an admitted Workload the new value of its class; QUE-025 must catch it."""
    obj = self.store.get(key)
    if obj is None:
        return
    for workload in self.workloads.by_index("workload/priority-class", key.name):
        if workload["spec"].get("priority") != obj["value"] and not Workload(workload).has_quota_reservation:
            spec = {**workload["spec"], "priority": obj["value"]}
            await self.client.update(WORKLOADS, {**workload, "spec": spec})
