"""ADM: what Kueue counts and measures (AC-390…396). Names, labels and values are Kueue's; the buckets are
judged by one scenario at may.
"""

from kueue_conformance import always, scenario, within

METRICS = "metrics of the control plane"


@scenario(
    "ADM-035",
    "waits for quota and for checks are measured for each priority class",
    requirement="docs-2024#admitted-when-ready",
    shows="SC-024 AC-390 AC-391 AC-392 AC-396",
    level="should",
    since="0.19",
    gates=("LocalQueueMetrics",),
    revision=2,
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "nothing is counted before it happens",
        "b": "the reservation and the wait for it",
        "c": "the admission and the wait for it",
        "d": "the wait for the checks",
        "e": "all of it for the LocalQueue as well",
    },
)
def test_wait_times_are_measured(kueue_cluster, clock):
    name = kueue_cluster.make_priority_class(100)
    queue = kueue_cluster.make_queue(checks=1, stopPolicy="Hold")
    workload = queue.submit("job", labels={"kueue.x-k8s.io/priority-class": name})
    metrics, labels = kueue_cluster.metrics_of(queue), {"priority_class": name}
    always(lambda: metrics.shows("quota_reserved_workloads_total", 0), clause="a")
    always(lambda: metrics.shows_gauges(inadmissible=1, active=0, reserving=0, admitted=0), clause="a")
    clock.advance(clock.hold)

    queue.resume()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    clock.advance_budget("hold")
    always(lambda: metrics.shows("admitted_workloads_total", 0), clause="a")
    always(lambda: metrics.shows_gauges(inadmissible=0, active=0, reserving=1, admitted=0), clause="b")
    queue.admit(workload)

    reserved, admitted = workload.seconds_until("QuotaReserved"), workload.seconds_until("Admitted")
    always(lambda: metrics.shows("quota_reserved_workloads_total", 1, **labels), clause="b")
    always(
        lambda: metrics.shows_observations("quota_reserved_wait_time_seconds", 1, reserved, **labels),
        clause="b",
    )
    always(lambda: metrics.shows("admitted_workloads_total", 1, **labels), clause="c")
    always(
        lambda: metrics.shows_observations("admission_wait_time_seconds", 1, admitted, **labels), clause="c"
    )
    always(
        lambda: metrics.shows_observations(
            "admission_checks_wait_time_seconds", 1, admitted - reserved, **labels
        ),
        clause="d",
    )
    always(lambda: metrics.shows_locally("quota_reserved_workloads_total", 1, **labels), clause="e")
    always(
        lambda: metrics.shows_observations_locally("quota_reserved_wait_time_seconds", 1, reserved, **labels),
        clause="e",
    )
    always(lambda: metrics.shows_locally("admitted_workloads_total", 1, **labels), clause="e")
    always(
        lambda: metrics.shows_observations_locally("admission_wait_time_seconds", 1, admitted, **labels),
        clause="e",
    )
    always(
        lambda: metrics.shows_observations_locally(
            "admission_checks_wait_time_seconds", 1, admitted - reserved, **labels
        ),
        clause="e",
    )


@scenario(
    "ADM-090",
    "the latency of a preemption is measured",
    requirement="kep-993#reserved-is-victim",
    shows="SC-090 AC-300",
    level="may",
    since="0.19",
    also=("kep993",),
    needs=(METRICS, "virtual time"),
    revision=2,
    clauses={
        "a": "nothing is measured while the victim stops",
        "b": "the time from its eviction until its quota was released",
    },
)
def test_eviction_latency(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption={"withinClusterQueue": "LowerPriority"})
    low, high = kueue_cluster.make_priority_class(-10), kueue_cluster.make_priority_class(10)
    victim = queue.submit_until("admitted", "job", cpu="1", labels={"kueue.x-k8s.io/priority-class": low})
    job = kueue_cluster.job_of(victim)
    job.set_pods(1)
    metrics, preempted = kueue_cluster.metrics_of(queue), {"reason": "Preempted"}

    queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": high})
    within("evict", lambda: victim.is_evicted() and job.is_suspended())
    clock.advance(clock.hold)
    always(
        lambda: metrics.shows_observations("workload_eviction_latency_seconds", 0, 0, **preempted), clause="a"
    )
    job.set_pods(0)

    within("settle", victim.is_suspended)
    seconds_held = victim.seconds_until("QuotaReserved") - victim.seconds_until("Evicted")
    always(
        lambda: metrics.shows_observations("workload_eviction_latency_seconds", 1, seconds_held, **preempted),
        clause="b",
    )


@scenario(
    "ADM-423",
    "evictions are counted by their reason",
    requirement="kep-993#stop-admitted",
    shows="AC-340 AC-342",
    since="0.19",
    level="should",
    clauses={"a": "one line for each reason, with its count"},
)
def test_evictions_are_counted(make_queue):
    queue = make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)

    for cause in ("cluster-queue-stopped", "local-queue-stopped", "cluster-queue-stopped"):
        queue.requeue(workload, cause)
        within("requeue", workload.is_admitted)

    within(
        "settle",
        lambda: workload.has_eviction_counts({("ClusterQueueStopped", ""): 2, ("LocalQueueStopped", ""): 1}),
        clause="a",
    )


@scenario(
    "ADM-438",
    "reserved quota, evictions and finished Workloads are counted",
    requirement="docs-2024#retry-evicts",
    shows="AC-343 AC-391 AC-392 AC-393 AC-394 AC-395 AC-396",
    level="should",
    since="0.19",
    gates=("LocalQueueMetrics",),
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "Workloads that wait, hold quota and are admitted",
        "b": "the status of a queue",
        "c": "evictions by their reason, and the first ones apart",
        "d": "the time until quota was released",
        "e": "finished Workloads",
        "f": "no wait for checks where there are no checks",
        "g": "all of it for the LocalQueue as well",
        "h": "no metric of a deleted queue",
    },
)
def test_what_is_counted(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    metrics = kueue_cluster.metrics_of(queue)
    workload = queue.submit("job", cpu="1")
    within("admit", workload.is_admitted)
    waiting = queue.submit(cpu="1")
    within(
        "settle", lambda: metrics.shows_gauges(inadmissible=1, active=0, reserving=1, admitted=1), clause="a"
    )
    within(
        "settle",
        lambda: metrics.shows_gauges_locally(inadmissible=1, active=0, reserving=1, admitted=1),
        clause="g",
    )
    always(lambda: metrics.shows("cluster_queue_status", 1, status="active"), clause="b")
    always(lambda: metrics.shows_locally("status", 1, active="True"), clause="b")
    always(lambda: metrics.shows("admission_checks_wait_time_seconds_count", 0), clause="f")
    waiting.delete()

    queue.requeue(workload, "cluster-queue-stopped")
    within("requeue", workload.is_admitted)
    queue.hold_and_drain()
    within("evict", workload.is_suspended)
    stopped = {"reason": "ClusterQueueStopped"}
    always(lambda: metrics.shows("evicted_workloads_total", 2, **stopped, underlying_cause=""), clause="c")
    always(lambda: metrics.shows("evicted_workloads_total", 2), clause="c")
    always(lambda: metrics.shows("evicted_workloads_once_total", 1, **stopped), clause="c")
    always(lambda: metrics.shows_locally("evicted_workloads_total", 2, **stopped), clause="g")
    always(
        lambda: metrics.shows_observations("workload_eviction_latency_seconds", 2, 0, **stopped), clause="d"
    )
    always(lambda: metrics.shows("cluster_queue_status", 1, status="pending"), clause="b")
    always(lambda: metrics.shows("cluster_queue_status", 0, status="active"), clause="b")
    always(lambda: metrics.shows_locally("status", 1, active="False"), clause="b")
    queue.resume()
    within("requeue", workload.is_admitted)
    always(lambda: metrics.shows("admitted_workloads_total", 3), clause="a")
    always(lambda: metrics.shows_locally("admitted_workloads_total", 3), clause="g")
    workload.finish()

    within("settle", lambda: metrics.shows("finished_workloads_total", 1), clause="e")
    always(lambda: metrics.shows("finished_workloads_total", 1), clause="e")
    always(lambda: metrics.shows_locally("finished_workloads_total", 1), clause="g")
    within(
        "settle", lambda: metrics.shows_gauges(inadmissible=0, active=0, reserving=0, admitted=0), clause="a"
    )
    queue.delete()
    within("settle", lambda: queue.is_gone() and metrics.shows("cluster_queue_status", 0), clause="h")


@scenario(
    "ADM-448",
    "an eviction is measured: the time since the pods were ready, the time with quota, and the next wait",
    requirement="docs-2024#retry-evicts",
    shows="AC-344 AC-391 AC-393 AC-394 AC-395 AC-396",
    level="should",
    since="0.19",
    gates=("LocalQueueMetrics",),
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "from pods that are ready to the eviction",
        "b": "from the eviction to the release",
        "c": "the next wait begins when it is queued again",
        "d": "the underlying cause is a label beside the reason",
        "e": "a queue that is being deleted has its status in a metric",
    },
)
def test_what_is_sent_back_is_measured(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    metrics = kueue_cluster.metrics_of(queue)
    workload, other = queue.submit_until("admitted", "job"), queue.submit_until("admitted", "job")
    waited = workload.seconds_until("Admitted") + other.seconds_until("Admitted")
    reserved = workload.seconds_until("QuotaReserved") + other.seconds_until("QuotaReserved")
    queue.checks[0].answer(other, "Rejected")
    within("evict", other.is_rejected)
    rejected = {"reason": "Deactivated", "underlying_cause": "AdmissionCheck"}
    always(lambda: metrics.shows("evicted_workloads_total", 1, **rejected), clause="d")
    always(lambda: metrics.shows_locally("evicted_workloads_total", 1, **rejected), clause="d")
    job, stopped = kueue_cluster.job_of(workload), {"reason": "ClusterQueueStopped"}
    job.set_pods(active=1)
    within("react", lambda: workload.has_condition("PodsReady", "True"))
    ready = workload.seconds_until("PodsReady")
    clock.advance(clock.hold)

    queue.hold_and_drain()
    within("evict", workload.is_evicted)
    evicted = workload.seconds_until("Evicted")
    always(
        lambda: metrics.shows_observations(
            "pods_ready_to_evicted_time_seconds", 1, evicted - ready, **stopped
        ),
        clause="a",
    )
    clock.advance(clock.hold)
    job.set_pods(active=0)
    within("evict", workload.is_suspended)
    seconds_held = workload.seconds_until("QuotaReserved") - evicted
    always(
        lambda: metrics.shows_observations("workload_eviction_latency_seconds", 1, seconds_held, **stopped),
        clause="b",
    )
    clock.advance(clock.hold)
    queue.resume()
    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"))
    anew = workload.seconds_until("QuotaReserved") - workload.seconds_until("Requeued")
    always(
        lambda: metrics.shows_observations("quota_reserved_wait_time_seconds", 3, reserved + anew), clause="c"
    )
    clock.advance(clock.hold)
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted)

    second_wait = workload.seconds_until("Admitted") - workload.seconds_until("Requeued")
    always(
        lambda: metrics.shows_observations("admission_wait_time_seconds", 3, waited + second_wait), clause="c"
    )
    queue.delete()
    within("settle", lambda: metrics.shows("cluster_queue_status", 1, status="terminating"), clause="e")


@scenario(
    "ADM-559",
    "the measured wait for checks is zero when they passed before the reservation",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-284 AC-392 AC-396",
    level="should",
    since="0.19",
    gates=("LocalQueueMetrics",),
    needs=(METRICS, "virtual time"),
    clauses={"a": "one wait of no seconds", "b": "for the LocalQueue as well"},
)
def test_no_wait_for_checks_that_have_passed(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    queue.checks[0].answer(workload, "Ready")
    clock.advance(clock.hold)

    queue.set_quota("1")

    within("admit", workload.is_admitted)
    metrics = kueue_cluster.metrics_of(queue)
    always(lambda: metrics.shows_observations("admission_checks_wait_time_seconds", 1, 0), clause="a")
    always(lambda: metrics.shows_observations_locally("admission_checks_wait_time_seconds", 1, 0), clause="b")


KINDS = """
admission_attempts_total counter result
admission_attempt_duration_seconds histogram result 10
pending_workloads gauge cluster_queue,status
local_queue_pending_workloads gauge name,namespace,status
reserving_active_workloads gauge cluster_queue
admitted_active_workloads gauge cluster_queue
local_queue_reserving_active_workloads gauge name,namespace
local_queue_admitted_active_workloads gauge name,namespace
quota_reserved_workloads_total counter cluster_queue,priority_class
local_queue_quota_reserved_workloads_total counter name,namespace,priority_class
quota_reserved_wait_time_seconds histogram cluster_queue,priority_class 14
local_queue_quota_reserved_wait_time_seconds histogram name,namespace,priority_class 14
admitted_workloads_total counter cluster_queue,priority_class
local_queue_admitted_workloads_total counter name,namespace,priority_class
admission_wait_time_seconds histogram cluster_queue,priority_class 16
local_queue_admission_wait_time_seconds histogram name,namespace,priority_class 16
admission_checks_wait_time_seconds histogram cluster_queue,priority_class 14
local_queue_admission_checks_wait_time_seconds histogram name,namespace,priority_class 14
ready_wait_time_seconds histogram cluster_queue,priority_class 14
local_queue_ready_wait_time_seconds histogram name,namespace,priority_class 14
admitted_until_ready_wait_time_seconds histogram cluster_queue,priority_class 14
local_queue_admitted_until_ready_wait_time_seconds histogram name,namespace,priority_class 14
evicted_workloads_total counter cluster_queue,priority_class,reason,underlying_cause
local_queue_evicted_workloads_total counter name,namespace,priority_class,reason,underlying_cause
evicted_workloads_once_total counter cluster_queue,priority_class,reason,underlying_cause
preempted_workloads_total counter preempting_cluster_queue,reason
workload_eviction_latency_seconds histogram cluster_queue,reason 14
pods_ready_to_evicted_time_seconds histogram cluster_queue,reason,underlying_cause 14
cluster_queue_status gauge cluster_queue,status
local_queue_status gauge name,namespace,active
finished_workloads_total counter cluster_queue,priority_class
local_queue_finished_workloads_total counter name,namespace,priority_class
"""


@scenario(
    "ADM-570",
    "each metric has its type, its labels and the bounds of its waits",
    requirement="docs-2024#retry-evicts",
    shows="AC-390 AC-391 AC-392 AC-393 AC-394 AC-395 AC-396 MT-001 MT-025 MT-033",
    level="may",
    since="0.19",
    needs=(METRICS,),
    clauses={"a": "every counter and every histogram of events that happened is"},
)
def test_kinds_of_metrics(kueue_cluster):
    queue = kueue_cluster.make_queue(1, cpu="1", preemption={"withinClusterQueue": "LowerPriority"})
    low, high = kueue_cluster.make_priority_class(-10), kueue_cluster.make_priority_class(10)
    victim = queue.submit_until("admitted", "job", cpu="1", labels={"kueue.x-k8s.io/priority-class": low})
    job = kueue_cluster.job_of(victim)
    job.set_pods(active=1)
    within("react", lambda: victim.has_condition("PodsReady", "True"))

    preemptor = queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": high})
    within("evict", victim.is_evicted)
    job.set_pods(active=0)
    within("reserve", preemptor.is_prechecked)
    queue.admit(preemptor)
    preemptor.finish()

    metrics = kueue_cluster.metrics_of(queue)
    within("settle", lambda: metrics.has_series(KINDS), clause="a")


@scenario(
    "ADM-571",
    "the times until pods are ready are measured from being queued and from being admitted",
    requirement="docs-2024#retry-evicts",
    shows="MT-025 AC-396",
    level="should",
    since="0.19",
    gates=("LocalQueueMetrics",),
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "no time before",
        "b": "from being queued",
        "c": "from being admitted",
        "d": "both for the LocalQueue as well",
    },
)
def test_times_until_pods_are_ready(kueue_cluster, clock):
    name = kueue_cluster.make_priority_class(100)
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit("job", labels={"kueue.x-k8s.io/priority-class": name})
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    metrics, labels = kueue_cluster.metrics_of(queue), {"priority_class": name}
    clock.advance(clock.hold)
    queue.admit(workload)
    job = kueue_cluster.job_of(workload)
    within("start", job.is_started)
    always(lambda: metrics.shows_observations("ready_wait_time_seconds", 0, 0), clause="a")
    clock.advance(clock.hold)

    job.set_pods(active=1)

    within("react", lambda: workload.has_condition("PodsReady", "True"))
    queued = workload.seconds_until("PodsReady")
    admitted = queued - workload.seconds_until("Admitted")
    always(lambda: metrics.shows_observations("ready_wait_time_seconds", 1, queued, **labels), clause="b")
    always(
        lambda: metrics.shows_observations("admitted_until_ready_wait_time_seconds", 1, admitted, **labels),
        clause="c",
    )
    always(
        lambda: metrics.shows_observations_locally("ready_wait_time_seconds", 1, queued, **labels), clause="d"
    )
    always(
        lambda: metrics.shows_observations_locally(
            "admitted_until_ready_wait_time_seconds", 1, admitted, **labels
        ),
        clause="d",
    )


@scenario(
    "ADM-800",
    "Workloads that are not admitted are counted by the reason of Admitted and the cause",
    requirement="docs-2024#admitted-when-ready",
    shows="KV-17 AC-396",
    level="should",
    since="0.20.0-devel",
    gates=("UnadmittedWorkloadsObservability", "LocalQueueMetrics"),
    needs=(METRICS,),
    clauses={
        "a": "one waits for a check, with quota and without a cause, the other for quota",
        "b": "the LocalQueue's series say the same",
        "c": "an admitted one counts no more",
        "d": "a deleted one counts no more",
    },
)
def test_unadmitted_workloads_are_counted(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    metrics, name = kueue_cluster.metrics_of(queue), "unadmitted_workloads"
    of_checks = {"reason": "UnsatisfiedAdmissionChecks", "underlying_cause": ""}
    of_quota = {"reason": "NoReservation", "underlying_cause": "WaitingForQuota"}
    holder = queue.submit_until("prechecked", cpu="1")
    waiting = queue.submit(cpu="1")

    within("settle", lambda: waiting.is_unreserved_for("waiting-for-quota"), clause="a")
    within("settle", lambda: metrics.shows(name, 1, **of_checks), clause="a")
    within("settle", lambda: metrics.shows(name, 1, **of_quota), clause="a")
    always(lambda: metrics.shows(name, 2), clause="a")
    always(lambda: metrics.shows_locally(name, 1, **of_checks), clause="b")
    always(lambda: metrics.shows_locally(name, 1, **of_quota), clause="b")

    queue.admit(holder)
    within("settle", lambda: metrics.shows(name, 0, **of_checks), clause="c")
    always(lambda: metrics.shows(name, 1, **of_quota), clause="c")

    waiting.delete()
    within("settle", lambda: metrics.shows(name, 0), clause="d")
    always(lambda: metrics.shows_locally(name, 0), clause="d")


@scenario(
    "ADM-833",
    "how long a Workload was admitted is measured when it finishes, over all of its attempts",
    requirement="docs-2024#admitted-when-ready",
    shows="KV-28 AC-396",
    level="should",
    since="0.20.0-devel",
    gates=("LocalQueueMetrics",),
    needs=(METRICS, "virtual time"),
    clauses={"a": "nothing before it finishes", "b": "the seconds of both attempts", "c": "the LocalQueue's"},
)
def test_execution_time_is_measured(kueue_cluster, clock):
    queue = kueue_cluster.make_queue()
    metrics, name = kueue_cluster.metrics_of(queue), "execution_time_seconds"
    workload = queue.submit_until("admitted", "job")
    begun = workload.seconds_until("Admitted")
    clock.advance(90)
    queue.hold_and_drain()
    within("evict", workload.is_suspended)
    first = workload.seconds_until("Admitted") - begun
    queue.resume()
    within("requeue", workload.is_admitted)
    clock.advance(60)
    always(lambda: metrics.shows(f"{name}_count", 0), clause="a")

    workload.finish()

    within("settle", lambda: metrics.shows(f"{name}_count", 1), clause="b")
    total = first + workload.seconds_until("Finished") - workload.seconds_until("Admitted")
    always(lambda: metrics.shows_observations(name, 1, total), clause="b")
    always(lambda: metrics.shows_observations_locally(name, 1, total), clause="c")
