"""Which flavors have room for a Workload, from what is documented of quota and pods (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from ...base.json_types import Json
from ...stage.workloads.view import WorkloadView
from . import pods
from .amounts import UNLIMITED, Tree, reserved_amounts
from .state import State


def is_modelled(state: State, workload: WorkloadView, queue: Json) -> bool:
    """Tell whether CPU alone decides: what more does is not modelled."""
    covered = [group["coveredResources"] for group in queue["spec"].get("resourceGroups") or ()]
    if ["cpu"] not in covered or any("pods" in resources for resources in covered):
        return False
    return all(pods.is_modelled(pod_set["template"]["spec"]) for pod_set in pod_sets_of(state, workload))


def pod_sets_of(state: State, workload: WorkloadView) -> Sequence[Json]:
    """Return the pod sets of a Workload, with what is requested by default in its namespace."""
    defaults = state.snapshot.default_requests
    return [
        {
            **pod_set,
            "template": {
                **pod_set["template"],
                "spec": pods.with_defaults(pod_set["template"]["spec"], defaults),
            },
        }
        for pod_set in workload.object["spec"]["podSets"]
    ]


def fitting_flavors(state: State, workload: WorkloadView, queue: Json) -> tuple[str, ...]:
    """Return flavors of the pod sets that have room together; none where there are none."""
    tree = Tree(state.snapshot)
    if tree.has_cycle():
        return ()
    node = tree.queues[queue["metadata"]["name"]]
    for flavors, needed in choices(state, workload, node.quotas):
        if all(missing <= tree.free(node, flavor) for flavor, missing in needed.items()):
            return flavors
    return ()


def choices(
    state: State, workload: WorkloadView, offered: Mapping[str, object]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, int]]]:
    """Yield the flavors that the pod sets can have together, and how much CPU of each they need."""
    pod_sets = pod_sets_of(state, workload)
    amounts = [pod_set["count"] * amount(state, pod_set) for pod_set in pod_sets]
    possible = [
        # What requests nothing needs no flavor.
        [flavor for flavor in offered if suits(state, flavor, item)] if needs_flavor(state, item) else [""]
        for item in pod_sets
    ]
    for flavors in product(*possible):
        needed: dict[str, int] = dict.fromkeys(offered, 0)
        for flavor, added in zip(flavors, amounts, strict=True):
            if flavor:
                needed[flavor] += added
        yield flavors, needed


def needs_flavor(state: State, pod_set: Json) -> bool:
    """Tell whether pods request something, or have an overhead."""
    return bool(pods.requested_resources(pod_set["template"]["spec"])) or amount(state, pod_set) > 0


def can_preempt(state: State, workload: WorkloadView, queue: Json) -> bool:
    """Tell whether the quota is enough without those that the policies of the ClusterQueue give up for it:
    in a queue of one flavor, alone or in a cohort without a parent.
    """
    tree, name = Tree(state.snapshot), queue["metadata"]["name"]
    node = tree.queues[name]
    if tree.has_cycle() or len(node.quotas) != 1 or state.is_fair:
        return False
    flavor, quota = next(iter(node.quotas.items()))
    needed = [amounts for _, amounts in choices(state, workload, node.quotas)]
    if not needed:
        return False
    request, used = needed[0][flavor], tree.usage(node, flavor)
    policies = queue["spec"].get("preemption") or {}
    within = policies.get("withinClusterQueue", "Never")
    if not node.parent:
        spared = used - sum(cpu_usage(other, flavor) for other in _victims(state, workload, name, within))
        return 0 < request <= quota.nominal - spared
    cohort = tree.cohorts[node.parent]
    is_flat = not cohort.parent and not any(
        child.name in tree.cohorts for child in tree.children(cohort.name)
    )
    limits = [child.quotas.get(flavor) for child in tree.children(cohort.name)]
    is_plain = all(limit is None or limit.lending_limit == UNLIMITED for limit in limits)
    # Quota of its own, which others have borrowed.
    is_own = 0 < request <= quota.nominal - used
    return is_flat and is_plain and is_own and policies.get("reclaimWithinCohort") == "Any"


def _victims(state: State, workload: WorkloadView, queue: str, policy: str) -> Iterator[WorkloadView]:
    """Yield the Workloads of a ClusterQueue that another one of it preempts: those of a lower priority."""
    for other in state.snapshot.workloads():
        is_holder = (other.admission or {}).get("clusterQueue") == queue and not other.is_true("Finished")
        if is_holder and policy != "Never" and priority_of(other) < priority_of(workload):
            yield other


def priority_of(workload: WorkloadView) -> int:
    """Return the priority of a Workload."""
    return int(workload.object["spec"].get("priority") or 0)


def cpu_usage(workload: WorkloadView, flavor: str) -> int:
    """Return the CPU that a Workload holds of a flavor, in thousandths."""
    return sum(amount for name, amount in reserved_amounts(workload) if name == flavor)


def amount(state: State, pod_set: Json, resource: str = "cpu") -> int:
    """Return what each pod of a pod set requests of a resource, in thousandths."""
    spec = pod_set["template"]["spec"]
    runtime_class = state.snapshot.get("RuntimeClass", spec.get("runtimeClassName", ""))
    return pods.amount_of(spec, resource, runtime_class)


def suits(state: State, flavor: str, pod_set: Json) -> bool:
    """Tell whether pods can run on the nodes of a flavor."""
    spec = state.snapshot.get("ResourceFlavor", flavor).get("spec")
    return spec is not None and pods.suits(spec, pod_set["template"]["spec"])
