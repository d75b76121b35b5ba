"""Wrong about what may be deleted, and about checks that are being deleted (AC-400…407, AC-427)."""

from dataclasses import replace

from reference_impl.api.kinds import CLUSTER_QUEUES
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queues import cluster_queues, finalizers
from reference_impl.kueue.queues.cluster_queues import ClusterQueues
from reference_impl.kueue.queues.finalizer_controller import FinalizerController
from reference_impl.kueue.quota.catalogue import Catalogue

from ...killing.planes import wrong


@wrong((finalizers, "with_finalizer"))
def protects_nothing(_, obj):
    """Breaks AC-400: puts no finalizer on anything; ADM-103 should catch it."""
    return obj


@wrong((FinalizerController, "reconcile"))
async def lets_checks_go_at_once(reconcile, guard, key):
    """Breaks AC-401: removes the finalizer of a deleted object that is in use; ADM-103 should catch it."""
    await reconcile(replace(guard, users=lambda _: ()), key)


@wrong((FinalizerController, "reconcile"))
async def never_lets_go(reconcile, guard, key):
    """Breaks AC-401: never removes the finalizer of a deleted object; ADM-103 should catch it."""
    await reconcile(replace(guard, users=lambda name: (name,)), key)


@wrong((FinalizerController, "reconcile"))
async def protects_what_is_used(reconcile, guard, key):
    """Breaks AC-400: puts the finalizer only on objects in use; ADM-328 should catch it."""
    obj = guard.store.get(key)
    if obj is None or finalizers.is_deleting(obj) or guard.users(key.name):
        await reconcile(guard, key)


@wrong((Catalogue, "using_check"))
def finds_users_by_their_first_check(_, catalogue, check):
    """Breaks AC-401: knows that a check is used only if
    it is the first of a queue; ADM-103 should catch it.
    """
    return tuple(
        name
        for name, spec in catalogue.cluster_queues.items()
        if check in [rule.name for rule in spec.checks[:1]]
    )


@wrong((Catalogue, "using_check"))
def finds_users_by_their_last_check(_, catalogue, check):
    """Breaks AC-401: knows that a check is used only if it is the last of a queue; ADM-322 must catch it."""
    return tuple(
        name
        for name, spec in catalogue.cluster_queues.items()
        if check in [rule.name for rule in spec.checks[-1:]]
    )


@wrong((Catalogue, "using_check"))
def finds_one_user_of_a_check(using, catalogue, check):
    """Breaks AC-405: looks again at one of the queues that use a check; ADM-322 must catch it."""
    return using(catalogue, check)[:1]


@wrong((Catalogue, "using_flavor"))
def finds_no_user_of_a_flavor(using, catalogue, flavor):
    """Breaks AC-407: never finds a flavor in use; ADM-105 must catch it."""
    return ()


@wrong((EventHandlers, "check"))
def takes_deleted_checks_for_gone(check, notes, old, new):
    """Breaks AC-402: treats a check as deleted while a finalizer holds it; ADM-321 should catch it."""
    gone = new is not None and "deletionTimestamp" in new["metadata"]
    return check(notes, old or new, None) if gone else check(notes, old, new)


@wrong((EventHandlers, "check"))
def listens_to_deleted_checks(check, notes, old, new):
    """Breaks AC-402: follows the Active condition of a
    check that is being deleted; ADM-321 should catch it.
    """
    if new is not None and "deletionTimestamp" in new["metadata"]:
        new = {**new, "metadata": {k: v for k, v in new["metadata"].items() if k != "deletionTimestamp"}}
    return check(notes, old, new)


@wrong((EventHandlers, "check"))
def overlooks_checks_that_go(check, notes, old, new):
    """Breaks AC-403: does not notice that a check is gone; ADM-320 must catch it."""
    return None if new is None else check(notes, old, new)


@wrong((ClusterQueues, "reconcile"))
async def holds_no_cluster_queue(reconcile, queues, key):
    """Breaks AC-427: lets a ClusterQueue go that has admitted Workloads; ADM-086 must catch it."""
    obj = queues.latest.get(key)
    if obj is not None and finalizers.is_deleting(obj) and finalizers.has(obj):
        await queues.client.update(CLUSTER_QUEUES, finalizers.without_finalizer(obj))
    else:
        await reconcile(queues, key)


@wrong((ClusterQueues, "reconcile"))
async def never_lets_a_cluster_queue_go(reconcile, queues, key):
    """Breaks AC-427: keeps the finalizer of a ClusterQueue that nothing uses; ADM-085 should catch it."""
    obj = queues.latest.get(key)
    if obj is None or not finalizers.is_deleting(obj):
        await reconcile(queues, key)


@wrong((cluster_queues.finalizers, "has"))
def lets_busy_queues_go(right, obj):
    """Breaks AC-427: keeps no ClusterQueue that is in use; ADM-086 must catch it."""
    return "deletionTimestamp" not in obj["metadata"]
