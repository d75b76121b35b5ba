"""Wrong about what a definition or a webhook refuses, about finalizers, and about what is named (AC-010…041,
AC-097, AC-117, AC-163, AC-400…413).
"""

from reference_impl.api import conversion
from reference_impl.api.resource import Key
from reference_impl.kueue.queues import finalizers
from reference_impl.kueue.queues.finalizer_controller import FinalizerController
from reference_impl.kueue.quota import problems
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.webhooks import gates, queues, writes
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.workload_context import with_cluster_queue

from ...killing.planes import wrong
from .definitions import CONVERTIBLE, DEFINITIONS, schemas_without, without

JUDGED = (writes, "problems")


@wrong(*DEFINITIONS)
def takes_any_reference_of_a_check(right, *args):
    """Breaks AC-013: does not look how the parameters of a check are named; ADM-160 must catch it."""
    return schemas_without(right(*args), "pattern", "AdmissionCheck")


@wrong(*DEFINITIONS)
def hands_a_check_to_another_controller(right, *args):
    """Breaks AC-012: lets the controller of a check change; ADM-161 must catch it."""
    return schemas_without(right(*args), "x-kubernetes-validations", "AdmissionCheck")


@wrong(*DEFINITIONS)
def takes_any_state_of_a_check(right, *args):
    """Breaks AC-118: takes any word as the state of a check; ADM-162 must catch it."""
    return schemas_without(right(*args), "enum", "Workload")


@wrong(*DEFINITIONS)
def takes_a_class_of_any_group(right, *args):
    """Breaks AC-097: does not look whether a class of priorities fits its group; ADM-171 should catch it."""
    return schemas_without(right(*args), "x-kubernetes-validations", "Workload")


@wrong(CONVERTIBLE)
def takes_a_class_without_a_priority(right, *args):
    """Breaks AC-097: has no rules in the definition of a Workload of v1beta1;
    ADM-180[no-priority-422-code-v1beta1] should catch it.
    """
    return schemas_without(right(*args), "x-kubernetes-validations", "Workload")


@wrong(JUDGED)
def restricts_checks_to_any_flavor(right, rules, *args):
    """Breaks AC-041: takes a check for a flavor that its
    ClusterQueue does not have; ADM-174 should catch it.
    """
    return right(without(rules, queues.check_flavors), *args)


@wrong(JUDGED)
def takes_any_gate(right, rules, *args):
    """Breaks AC-163: does not look at the names of gates; ADM-175[no-domain-a-403-code] should catch it."""
    return right(without(rules, gates.gates_of), *args)


@wrong((conversion, "_rename"))
def loses_the_cohort(renamed, section, source, goal):
    """Breaks AC-200: does not convert the name of a cohort; ADM-182 should catch it."""
    return section if "cohort" in source.lower() else renamed(section, source, goal)


@wrong((FinalizerController, "reconcile"))
async def never_lets_a_check_go(right, in_use, key):
    """Breaks AC-401: keeps its finalizer on a check that no
    ClusterQueue uses any more; ADM-104 should catch it.
    """
    obj = in_use.store.get(key)
    if obj is None or not finalizers.is_deleting(obj) or in_use.resource.kind != "AdmissionCheck":
        await right(in_use, key)


@wrong((problems, "flavor_missing"))
def does_not_name_missing_flavors(right, *args):
    """Breaks AC-413: says that flavors are missing, and not which; ADM-112 may catch it."""
    problem = right(*args)
    return problem and problems.ClusterQueueProblem(problem.reason, "references missing ResourceFlavor(s)")


@wrong((Catalogue, "using_check"))
def forgets_checks_that_are_for_some_flavors(right, catalogue, check):
    """Breaks AC-401: lets a check go that a ClusterQueue
    requires on some flavors only; ADM-238 should catch it.
    """
    specs = catalogue.cluster_queues
    return tuple(
        name
        for name in right(catalogue, check)
        if any(rule.name == check and not rule.on_flavors for rule in specs[name].checks)
    )


@wrong((WorldReader, "of"))
def changes_the_lists_of_a_stopped_queue(right, world_reader, workload):
    """Breaks AC-432: brings lists in line through a LocalQueue that is stopped; ADM-316 may catch it."""
    world = right(world_reader, workload)
    local = world_reader.local_queues.get(Key(workload.namespace, workload.queue_name))
    cluster_queue = world_reader.cluster_queues.get(Key("", local["spec"]["clusterQueue"])) if local else None
    return (
        with_cluster_queue(world, cluster_queue) if world.cluster_queue is None and cluster_queue else world
    )
