"""Wrong about queues that are stopped, missing or gone, and about gates (AC-253, AC-299…307, AC-428…434)."""

from dataclasses import replace

from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.quota.cluster_queue import ClusterQueueSpec
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload import messages, queue_state, release, triggers
from reference_impl.kueue.workload.conditions import Condition
from reference_impl.kueue.workload.decision import ApplyStatus, Decision
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.rules import Eviction
from reference_impl.kueue.workload.view import Workload
from reference_impl.kueue.workload.workload_context import QueueView

from ...killing.planes import instead, wrong

# What holds a reservation


@wrong((queue_state, "local_queue_state"))
def minds_no_stopped_local_queue(_, *args):
    """Breaks AC-304: takes no notice of a LocalQueue that is stopped; ADM-083 must catch it."""


@wrong((queue_state, "cluster_queue_state"))
def minds_no_stopped_cluster_queue(_, *args):
    """Breaks AC-303: takes no notice of a ClusterQueue that is stopped; ADM-082 must catch it."""


@wrong((queue_state, "_queue_state"))
def keeps_reservations(right, workload, *rest):
    """Breaks AC-301: leaves Workloads that are only reserved in place; ADM-091 must catch it."""
    return right(workload, *rest) if workload.is_admitted else None


@wrong((queue_state, "_queue_state"))
def keeps_what_is_admitted(right, workload, *rest):
    """Breaks AC-303: does not evict admitted Workloads; ADM-082 must catch it."""
    return None if workload.is_admitted else right(workload, *rest)


@wrong((queue_state, "_queue_state"))
def drains_when_told_to_hold(right, workload, queue, *rest):
    """Breaks AC-302: evicts admitted Workloads when it is told to hold; ADM-091 must catch it."""
    return right(
        workload, queue and (replace(queue, stop_policy="HoldAndDrain") if queue.is_stopped else queue), *rest
    )


@wrong((queue_state, "_queue_state"))
def never_drains(right, workload, queue, *rest):
    """Breaks AC-303: takes HoldAndDrain for Hold; ADM-082 must catch it."""
    return right(
        workload, queue and (replace(queue, stop_policy="Hold") if queue.is_draining else queue), *rest
    )


@wrong((queue_state, "_queue_state"))
def takes_a_drain_for_no_hold(right, workload, queue, *rest):
    """Breaks AC-301: leaves reservations alone when it is told to drain; ADM-415 must catch it."""
    if queue is not None and queue.is_draining and not workload.is_admitted:
        return None
    return right(workload, queue, *rest)


@wrong((queue_state, "_queue_state"))
def evicts_reservations_too(right, workload, queue, subject, why, current_time, rules):
    """Breaks AC-301: evicts Workloads that are only reserved; ADM-415 must catch it."""
    if workload.has_quota_reservation and not workload.is_evicted and queue is not None and queue.is_stopped:
        return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)
    return right(workload, queue, subject, why, current_time, rules)


@wrong((queue_state, "_queue_state"))
def evicts_again_and_again(_, workload, queue, subject, why, current_time, rules):
    """Breaks AC-433: evicts evicted Workloads again; ADM-417 must catch it."""
    draining = queue is not None and queue.is_draining
    if (
        draining
        and workload.is_admitted
        and (workload.condition(c.EVICTED) or {}).get("reason") != why.reason
    ):
        return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)
    return _(workload, queue, subject, why, current_time, rules)


@wrong((queue_state, "_queue_state"))
def keeps_reservations_of_what_is_gone(right, workload, queue, *rest):
    """Breaks AC-305: keeps reservations when a queue is deleted; ADM-095 should catch it."""
    return None if queue is None or queue.is_deleting else right(workload, queue, *rest)


@wrong((queue_state, "_queue_state"))
def keeps_reservations_while_a_queue_goes(right, workload, queue, *rest):
    """Breaks AC-305: keeps reservations in a queue that is being deleted; ADM-088 should catch it."""
    return None if queue is not None and queue.is_deleting else right(workload, queue, *rest)


@wrong((queue_state, "_queue_state"))
def evicts_with_a_deleted_queue(right, workload, queue, subject, why, current_time, rules):
    """Breaks AC-427: evicts admitted Workloads when their queue is deleted; ADM-086 must catch it."""
    if workload.is_admitted and not workload.is_evicted and (queue is None or queue.is_deleting):
        return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)
    return right(workload, queue, subject, why, current_time, rules)


@wrong((queue_state, "_cancel"))
def resets_checks_with_a_stop(right, workload, blocker, current_time, rules):
    """Breaks AC-301: has the checks begin anew when a reservation is taken back; ADM-415 must catch it."""
    decided = right(workload, blocker, current_time, rules)
    draft = StatusDraft.of(Workload({**workload.object, "status": decided.write.status}), current_time)
    return replace(decided, write=ApplyStatus(draft.with_checks(workload.checks.reset(current_time)).status))


@wrong((queue_state, "_cancel"))
def sets_requeued_with_a_stop(right, workload, blocker, current_time, rules):
    """Breaks AC-301: says of a reservation that is taken
    back that it is not queued; ADM-415 must catch it.
    """
    decided = right(workload, blocker, current_time, rules)
    draft = StatusDraft.of(Workload({**workload.object, "status": decided.write.status}), current_time)
    waits = Condition(c.REQUEUED, False, "ClusterQueueStopped", blocker.message)
    return replace(decided, write=ApplyStatus(draft.set(waits).status))


@wrong((queue_state, "_cancel"))
def says_that_a_stop_leaves_it_pending(_, workload, blocker, current_time, rules):
    """Breaks AC-254: gives another reason for a reservation that is taken back; ADM-420 may catch it."""
    return Decision(
        write=ApplyStatus(
            release.give_back(
                StatusDraft.of(workload, current_time), "Pending", blocker.message, rules
            ).status
        )
    )


@wrong((release, "give_back"))
def leaves_the_admission_behind(right, draft, reason, message, rules):
    """Breaks AC-301: takes the condition back and leaves the assignment; ADM-091 must catch it."""
    admission = draft.status.get("admission")
    released = right(draft, reason, message, rules)
    return released.put("admission", admission) if admission else released


@wrong((release, "give_back"))
def leaves_the_condition_behind(_, draft, reason, message, rules):
    """Breaks AC-301: takes the assignment away and leaves the condition; ADM-091 must catch it."""
    return draft.drop("admission")


@wrong((release, "after_eviction"))
def queues_all_at_once(right, draft, evicted, rules):
    """Breaks AC-268: says of everything that is evicted that it is queued again; ADM-084 should catch it."""
    draft_after_eviction = right(draft, evicted, rules)
    return draft_after_eviction.set(Condition(c.REQUEUED, True, evicted["reason"], evicted["message"]))


@wrong((release, "after_eviction"))
def does_not_say_that_it_waits(_, draft, evicted, rules):
    """Breaks AC-268: does not say that an evicted Workload is not queued; ADM-084 should catch it."""
    return release.give_back(draft, "Pending", evicted["message"], rules)


# When it goes on


@wrong((queue_state, "local_queue_restarted"))
def never_lets_a_local_queue_go_on(_, *args):
    """Breaks AC-307: never says that what a LocalQueue drained is queued again; ADM-084 should catch it."""


@wrong((queue_state, "cluster_queue_restarted"))
def never_lets_a_cluster_queue_go_on(_, *args):
    """Breaks AC-306: leaves out what a ClusterQueue drained; ADM-082 must catch it."""


@wrong((queue_state, "_is_stopped"))
def goes_on_before_its_queue(_, queue):
    """Breaks AC-306: lets what was drained be queued while its queue is stopped; ADM-084 should catch it."""
    return False


@wrong((queue_state, "_is_stopped"))
def goes_on_when_it_is_stopped(right, queue):
    """Breaks AC-306: mistakes a stopped queue for one that goes on; ADM-084 should catch it."""
    return not right(queue)


@wrong((queue_state, "_restart"))
def tells_of_another_restart(right, workload, current_time, reason, message):
    """Breaks AC-307: says that the ClusterQueue goes on when the LocalQueue does; ADM-084 should catch it."""
    return right(workload, current_time, "ClusterQueueRestarted", message)


@wrong((queue_state, "_restart"))
def says_again_that_it_waits(_, workload, current_time, reason, message):
    """Breaks AC-306: says that a drained Workload is not queued, and why not; ADM-082 must catch it."""
    condition = Condition(c.REQUEUED, False, reason, message)
    return Decision(write=ApplyStatus(StatusDraft.of(workload, current_time).set(condition).status))


# What waits


@wrong((queue_state, "explain_block"))
def never_says_what_blocks(_, *args):
    """Breaks AC-253: does not say that a queue is missing; ADM-080 must catch it."""


@wrong((queue_state, "queue_blocker"))
def minds_no_missing_local_queue(right, workload, world):
    """Breaks AC-253: does not say that the LocalQueue is missing; ADM-080 must catch it."""
    return None if world.local_queue is None else right(workload, world)


@wrong((queue_state, "queue_blocker"))
def minds_no_missing_cluster_queue(right, workload, world):
    """Breaks AC-253: does not say that the ClusterQueue is missing;
    ADM-080[no-cluster-queue-ClusterQueue] must catch it.
    """
    return right(workload, replace(world, is_queue_known=True, is_cluster_queue_active=True))


@wrong((queue_state, "queue_blocker"))
def takes_a_missing_queue_for_an_inactive_one(right, workload, world):
    """Breaks AC-253: says of a missing queue that it is inactive; ADM-419 may catch it."""
    blocker = right(workload, world)
    return blocker and blocker._replace(message=blocker.message.replace("doesn't exist", "is inactive"))


@wrong((queue_state, "queue_blocker"))
def takes_an_inactive_queue_for_a_missing_one(right, workload, world):
    """Breaks AC-253: says of an inactive queue that it does not exist; ADM-419 may catch it."""
    blocker = right(workload, world)
    return blocker and blocker._replace(message=blocker.message.replace("is inactive", "doesn't exist"))


@wrong((queue_state, "queue_blocker"))
def names_the_wrong_kind_of_queue(right, workload, world):
    """Breaks AC-253: says of a LocalQueue that it is the
    ClusterQueue that is missing; ADM-080 must catch it.
    """
    blocker = right(workload, world)
    return blocker and blocker._replace(message=blocker.message.replace("LocalQueue", "ClusterQueue"))


@wrong((queue_state, "queue_blocker"))
def names_the_wrong_queue(right, workload, world):
    """Breaks AC-253: names the Workload where it should name the queue; ADM-080 must catch it."""
    blocker = right(workload, world)
    return blocker and blocker._replace(message=blocker.message.replace(workload.queue_name, workload.name))


@wrong((queue_state, "queue_blocker"))
def minds_no_stopped_local_queue_of_what_waits(right, workload, world):
    """Breaks AC-253: does not say that a LocalQueue is stopped; ADM-419 may catch it."""
    local = world.local_queue
    return right(workload, replace(world, local_queue=local and replace(local, stop_policy="None")))


instead(
    queue_state,
    "INADMISSIBLE",
    "Pending",
    "Breaks AC-253: calls what has no queue Pending; ADM-081 should catch it.",
    called="calls_what_has_no_queue_pending",
)
instead(
    messages,
    "CLUSTER_QUEUE_STOPPED",
    "The LocalQueue is stopped",
    "Breaks AC-265: says the wrong thing of a drained ClusterQueue; ADM-424 may catch it.",
    called="says_that_the_local_queue_was_stopped",
)
instead(
    messages,
    "LOCAL_QUEUE_RESTARTED",
    "The ClusterQueue was restarted after being stopped",
    "Breaks AC-269: says the wrong thing of a LocalQueue that goes on; ADM-424 may catch it.",
    called="says_that_the_cluster_queue_goes_on",
)


@wrong((EventHandlers, "local_queue"))
def registers_stopped_local_queues(right, self, old, new):
    """Breaks AC-432: queues the Workloads of a stopped LocalQueue; ADM-416 must catch it."""

    def running(obj):
        return obj and {**obj, "spec": {**obj["spec"], "stopPolicy": "None"}}

    return right(self, running(old), running(new))


@wrong((Queues, "remove_local_queue"))
def lets_stopped_local_queues_go_on(_, self, key):
    """Breaks AC-432: goes on to admit from a LocalQueue that was stopped; ADM-416 must catch it."""


@wrong((ClusterQueueSpec, "is_stopped"))
def takes_stopped_queues_for_active(_, self):
    """Breaks AC-412: says of a stopped ClusterQueue that it is Active; ADM-094 must catch it."""
    return False


@wrong((triggers, "_counts"))
def sees_no_change_of_the_policy(_, queue):
    """Breaks AC-328: does not look at Workloads when the
    policy of their queue changes; ADM-082 must catch it.
    """
    spec = queue.get("spec") or {}
    return ("deletionTimestamp" in queue["metadata"], None, spec.get("admissionChecksStrategy"))


@wrong((triggers, "_counts"))
def sees_no_queue_go(_, queue):
    """Breaks AC-328: does not look at Workloads when their
    queue is being deleted; ADM-088 should catch it.
    """
    spec = queue.get("spec") or {}
    return (False, spec.get("stopPolicy"), spec.get("admissionChecksStrategy"))


@wrong((QueueView, "of"))
def knows_no_stop_policy(of, *args):
    """Breaks AC-301: reads no stop policy; ADM-091 must catch it."""
    return replace(of(*args), stop_policy="None")


# The reason of an eviction


@wrong((queue_state, "local_queue_state"))
def blames_the_cluster_queue(right, workload, world, current_time, rules):
    """Breaks AC-304: says that the ClusterQueue was stopped
    when the LocalQueue was; ADM-083 must catch it.
    """
    why = Eviction("ClusterQueueStopped", messages.CLUSTER_QUEUE_STOPPED)
    return queue_state._queue_state(
        workload, world.local_queue, f"LocalQueue {workload.queue_name}", why, current_time, rules
    )


# Gates


@wrong((queue_state, "give_back_gated"))
def never_says_that_it_is_gated(_, *args):
    """Breaks AC-299: does not say who gates a Workload; ADM-025 must catch it."""


@wrong((queue_state, "gate_cleared"))
def never_says_that_a_gate_is_open(_, *args):
    """Breaks AC-256: leaves out what was gated; ADM-025 must catch it."""


@wrong((Workload, "gates"))
def minds_one_gate(right, self):
    """Breaks AC-299: lets a Workload in that has one gate left; ADM-422 must catch it."""
    return right(self).partition(",")[2]


@wrong((Workload, "is_reported_gated"))
def opens_every_gate_at_once(right, self):
    """Breaks AC-256: forgets that a Workload was gated; ADM-038 should catch it."""
    return False
