"""Wrong about what is counted and measured (AC-390…396)."""

from dataclasses import replace

from reference_impl.kueue.queues import unadmitted
from reference_impl.kueue.queues.cluster_queues import ClusterQueues
from reference_impl.kueue.queues.local_queues import LocalQueues
from reference_impl.kueue.scheduling.entry import Requeue, Reserve
from reference_impl.kueue.scheduling.outcomes import OutcomeWriter
from reference_impl.kueue.scheduling.scheduler import Scheduler
from reference_impl.kueue.workload import metrics
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.metrics import Registry

from ...killing.planes import wrong


@wrong((OutcomeWriter, "_count_reservation"))
def counts_no_reservations(_, self, workload, name, waited):
    """Breaks AC-390: counts no reservations; ADM-035 should catch it."""


@wrong((OutcomeWriter, "_count_reservation"))
def counts_reservations_twice(right, self, workload, name, waited):
    """Breaks AC-390: counts every reservation twice; ADM-035 should catch it."""
    right(self, workload, name, waited)
    right(self, workload, name, waited)


@wrong((OutcomeWriter, "_count_reservation"))
def measures_no_wait_for_quota(right, self, workload, name, waited):
    """Breaks AC-390: measures every wait for quota as none; ADM-035 should catch it."""
    right(self, workload, name, 0)


@wrong((metrics, "admission"))
def counts_no_admissions(_, workload, current_time, checks_waited):
    """Breaks AC-391: counts no admissions; ADM-035 should catch it."""
    return ()


@wrong((metrics, "admission"))
def counts_no_admissions_for_users(right, workload, current_time, checks_waited):
    """Breaks AC-396: counts admissions of ClusterQueues only; ADM-035 should catch it."""
    return tuple(
        sample
        for sample in right(workload, current_time, checks_waited)
        if not sample.name.startswith("local")
    )


@wrong((metrics, "admission"))
def measures_no_wait_for_checks(right, workload, current_time, checks_waited):
    """Breaks AC-392: does not measure the wait for checks; ADM-035 should catch it."""
    return right(workload, current_time, None)


@wrong((metrics, "admission"))
def measures_a_wait_without_checks(right, workload, current_time, checks_waited):
    """Breaks AC-392: measures a wait for checks where there are none; ADM-438 should catch it."""
    return right(workload, current_time, checks_waited or 0)


@wrong((metrics, "admission"))
def measures_the_whole_wait_for_checks(right, workload, current_time, checks_waited):
    """Breaks AC-392: measures the wait for checks from the creation on; ADM-035 should catch it."""
    return right(workload, current_time, None if checks_waited is None else current_time - workload.created)


@wrong((Workload, "queued_since"))
def measures_from_the_reservation(_, self):
    """Breaks AC-391: measures the wait for an admission from the reservation on; ADM-035 should catch it."""
    return self.since("QuotaReserved")


@wrong((Workload, "priority_class"))
def knows_no_class_of_priorities(_, self):
    """Breaks AC-390: does not tell priority classes apart; ADM-035 should catch it."""
    return ""


@wrong((metrics, "eviction"))
def counts_no_evictions(_, workload, why, *, first):
    """Breaks AC-393: counts no evictions; ADM-438 should catch it."""
    return ()


@wrong((metrics, "eviction"))
def counts_every_eviction_as_the_first(right, workload, why, *, first):
    """Breaks AC-393: counts every eviction among the first ones; ADM-438 should catch it."""
    return right(workload, why, first=True)


@wrong((metrics, "eviction"))
def counts_no_first_evictions(right, workload, why, *, first):
    """Breaks AC-393: does not count first evictions apart; ADM-438 should catch it."""
    return right(workload, why, first=False)


@wrong((metrics, "eviction"))
def counts_evictions_without_their_reason(right, workload, why, *, first):
    """Breaks AC-393: counts evictions under one reason; ADM-438 should catch it."""
    return right(workload, replace(why, reason="Evicted"), first=first)


@wrong((metrics, "eviction"))
def counts_no_evictions_for_users(right, workload, why, *, first):
    """Breaks AC-396: counts evictions of ClusterQueues only; ADM-438 should catch it."""
    return tuple(
        sample for sample in right(workload, why, first=first) if not sample.name.startswith("local")
    )


@wrong((metrics, "eviction_latency"))
def measures_no_release(_, workload, current_time):
    """Breaks AC-394: does not measure how long a release took; ADM-438 should catch it."""
    return ()


@wrong((metrics, "count_finished"))
def counts_no_ends(_, workload, _current_time):
    """Breaks AC-395: counts no Workload that is over; ADM-438 should catch it."""
    return ()


@wrong((ClusterQueues, "_measure"))
def measures_no_cluster_queues(_, self, name, *, deleting):
    """Breaks AC-395: measures nothing of ClusterQueues; ADM-438 should catch it."""


@wrong((LocalQueues, "_measure"))
def measures_no_local_queues(_, self, key, status, cluster_queue):
    """Breaks AC-396: measures nothing of LocalQueues; ADM-438 should catch it."""


@wrong((ClusterQueues, "measure_pending"))
def takes_all_that_waits_for_active(_, self, name):
    """Breaks AC-395: counts every pending Workload as active; ADM-438 should catch it."""
    queue = self.queue_manager.queues.cluster_queues.get(name)
    self.metrics.set("kueue_pending_workloads", name, "active", value=queue.pending if queue else 0)
    self.metrics.set("kueue_pending_workloads", name, "inadmissible", value=0)


@wrong((ClusterQueues, "_forget"))
def goes_on_to_tell_of_what_is_gone(_, self, name):
    """Breaks AC-395: goes on to measure a ClusterQueue that is gone; ADM-438 should catch it."""


@wrong((Registry, "set"))
def swaps_reserving_and_admitted(right, self, name, *labels, value):
    """Breaks AC-395: reports admitted Workloads as reserving; ADM-035 should catch it."""
    swapped = {
        "kueue_reserving_active_workloads": "kueue_admitted_active_workloads",
        "kueue_admitted_active_workloads": "kueue_reserving_active_workloads",
    }
    right(self, swapped.get(name, name), *labels, value=value)


@wrong((Registry, "set"))
def tells_of_one_status(right, self, name, *labels, value):
    """Breaks AC-395: leaves the status that a queue had
    beside the one that it has; ADM-438 should catch it.
    """
    if value or "status" not in name:
        right(self, name, *labels, value=value)


@wrong((Workload, "queued_since"))
def measures_from_the_creation(_, self):
    """Breaks AC-391: measures every wait from the creation on,
    also that after an eviction; ADM-448 should catch it.
    """
    return self.created


@wrong((metrics, "pods_ready_to_evicted"))
def measures_no_time_of_ready_pods(right, workload, why, seconds):
    """Breaks AC-394: measures nothing between pods that
    are ready and an eviction; ADM-448 should catch it.
    """
    return right(workload, why, 0)


@wrong((metrics, "eviction_latency"))
def measures_releases_as_immediate(right, workload, current_time):
    """Breaks AC-394: says of every release that it took no time; ADM-448 should catch it."""
    return tuple(replace(sample, value=0) for sample in right(workload, current_time))


@wrong((metrics, "eviction"))
def counts_evictions_without_their_cause(right, workload, why, *, first):
    """Breaks AC-393: counts evictions without their underlying cause; ADM-448 should catch it."""
    return right(workload, replace(why, cause=""), first=first)


@wrong((Registry, "set"))
def tells_nothing_of_terminating_queues(right, self, name, *labels, value):
    """Breaks AC-395: does not report that a queue is terminating; ADM-448 should catch it."""
    right(self, name, *labels, value=0 if "terminating" in labels else value)


@wrong((Registry, "exposition"))
def declares_counters_as_gauges(right, self):
    """Breaks AC-393: declares counters as gauges, so that their rates are wrong after a restart; ADM-438
    should catch it.
    """
    return right(self).replace(" counter\n", " gauge\n")


@wrong((Registry, "exposition"))
def cuts_waits_in_other_buckets(right, self):
    """Breaks AC-391: cuts waits at three seconds where Kueue does at two and a half; ADM-570 may catch it."""
    return right(self).replace('le="2.5"', 'le="3"')


@wrong((metrics, "pods_started"))
def measures_no_start_of_pods(_, workload, current_time):
    """Breaks MT-025: does not measure how long it takes until pods are ready; ADM-571 should catch it."""
    return ()


@wrong((metrics, "pods_started"))
def measures_starts_from_being_queued_alone(right, workload, current_time):
    """Breaks MT-025: measures the start of pods from being queued, also where it is to be from the admission;
    ADM-571 should catch it.
    """
    waited = current_time - workload.queued_since
    return tuple(replace(sample, value=waited) for sample in right(workload, current_time))


@wrong((Scheduler, "_measure"))
def counts_no_skipped_preemptions(right, self, verdicts, seconds):
    """Breaks MT-003: does not count preemptions that are skipped; QUE-275 may catch it."""
    right(
        self,
        [verdict for verdict in verdicts if not getattr(verdict, "is_preemption_skipped", False)],
        seconds,
    )


@wrong((Scheduler, "_measure"))
def counts_all_that_waits_as_skipped(right, self, verdicts, seconds):
    """Breaks MT-003: counts whatever goes back into its queue as a preemption that was skipped; QUE-188
    should catch it.
    """
    measured_verdicts = [
        replace(verdict, is_preemption_skipped=True) if isinstance(verdict, Requeue) else verdict
        for verdict in verdicts
    ]
    right(self, measured_verdicts, seconds)


@wrong((Scheduler, "_measure"))
def counts_every_cycle_as_a_success(right, self, verdicts, seconds):
    """Breaks MT-001: counts cycles that reserve nothing as a success; QUE-188 should catch it."""
    right(self, [Reserve(None, None)] if verdicts else verdicts, seconds)


@wrong((Scheduler, "_measure"))
def measures_when_a_cycle_ended(right, self, verdicts, seconds):
    """Breaks MT-002: measures when a cycle ended for how long it took; QUE-188 should catch it."""
    right(self, verdicts, self.clock.now() + seconds)


@wrong((ClusterQueues, "_measure_share"))
def measures_no_shares(_, self, name, cohort, share):
    """Breaks MT-051: measures no shares of ClusterQueues; QUE-276 may catch it."""


@wrong((unadmitted.UnadmittedWorkloads, "workload"), dialect="v0.20")
def still_counts_no_unadmitted_workloads(right, self, old, new):
    """Breaks KV-17: a 0.20 that still counts no Workloads that are not admitted; ADM-800 should catch it."""


@wrong((unadmitted, "unadmitted_state"), dialect="v0.20")
def counts_admitted_workloads_as_unadmitted(right, workload, cluster_queue):
    """Breaks KV-17: goes on to count a Workload that is admitted; ADM-800 should catch it."""
    return unadmitted.UnadmittedState(
        workload.queue_name, workload.namespace, cluster_queue, "NoReservation", ""
    )


@wrong((unadmitted.UnadmittedWorkloads, "workload"), dialect="v0.20")
def counts_deleted_workloads_as_unadmitted(right, self, old, new):
    """Breaks KV-17: counts a Workload that was deleted for ever; ADM-800 should catch it."""
    if new is not None:
        right(self, old, new)


@wrong((metrics, "measure_finished"), dialect="v0.20")
def still_measures_no_execution_time(_, workload, current_time):
    """Breaks KV-28: a 0.20 that still measures no time of admission; ADM-833 should catch it."""
    return metrics.count_finished(workload, current_time)


@wrong((metrics, "measure_finished"), dialect="v0.20")
def measures_the_last_attempt_alone(right, workload, current_time):
    """Breaks KV-28: forgets for how long earlier attempts were admitted; ADM-833 should catch it."""
    status = {**workload.status, "accumulatedPastExecutionTimeSeconds": 0}
    return right(Workload({**workload.object, "status": status}), current_time)
