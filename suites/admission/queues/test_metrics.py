"""ADM: what Kueue counts and measures (AC-390…396). Names, labels and values are Kueue's; the buckets are
judged by one scenario at may.
"""

from kueue_conformance import always, scenario, within

METRICS = "metrics of the control plane"


@scenario(
    "ADM-035", "waits for quota and for checks are measured for each priority class",
    requirement="docs-2024#admitted-when-ready", shows="SC-024 AC-390 AC-391 AC-392 AC-396", level="should", since="0.19", revision=2,
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "nothing is counted before it happens", "b": "the reservation and the wait for it", "c": "the admission and the wait for it",
        "d": "the wait for the checks", "e": "all of it for the LocalQueue as well",
    },
)  # fmt: skip
def test_wait_times_are_measured(kueue_cluster, clock):
    name = kueue_cluster.priority_class(100)
    queue = kueue_cluster.queue(checks=1, stopPolicy="Hold")
    workload = queue.submit("job", labels={"kueue.x-k8s.io/priority-class": name})
    metrics, labels = kueue_cluster.metrics_of(queue), {"priority_class": name}
    always(lambda: metrics.tells("quota_reserved_workloads_total", 0), clause="a")
    always(lambda: metrics.gauges(inadmissible=1, active=0, reserving=0, admitted=0), clause="a")
    clock.passes(clock.hold)

    queue.resumes()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    clock.passes_budget("hold")
    always(lambda: metrics.tells("admitted_workloads_total", 0), clause="a")
    always(lambda: metrics.gauges(inadmissible=0, active=0, reserving=1, admitted=0), clause="b")
    queue.admits(workload)

    reserved, admitted = workload.waited_for("QuotaReserved"), workload.waited_for("Admitted")
    always(lambda: metrics.tells("quota_reserved_workloads_total", 1, **labels), clause="b")
    always(lambda: metrics.measured("quota_reserved_wait_time_seconds", 1, reserved, **labels), clause="b")
    always(lambda: metrics.tells("admitted_workloads_total", 1, **labels), clause="c")
    always(lambda: metrics.measured("admission_wait_time_seconds", 1, admitted, **labels), clause="c")
    always(
        lambda: metrics.measured("admission_checks_wait_time_seconds", 1, admitted - reserved, **labels),
        clause="d",
    )
    always(lambda: metrics.tells_users("quota_reserved_workloads_total", 1, **labels), clause="e")
    always(
        lambda: metrics.measured_for_users("quota_reserved_wait_time_seconds", 1, reserved, **labels),
        clause="e",
    )
    always(lambda: metrics.tells_users("admitted_workloads_total", 1, **labels), clause="e")
    always(
        lambda: metrics.measured_for_users("admission_wait_time_seconds", 1, admitted, **labels), clause="e"
    )
    always(
        lambda: metrics.measured_for_users(
            "admission_checks_wait_time_seconds", 1, admitted - reserved, **labels
        ),
        clause="e",
    )


@scenario(
    "ADM-090", "the latency of a preemption is measured",
    requirement="kep-993#reserved-is-victim", shows="SC-090 AC-300", level="may", since="0.19", also=("kep993",), needs=(METRICS, "virtual time"), revision=2,
    clauses={"a": "nothing is measured while the victim stops", "b": "the time from its eviction until its quota was given back"},
)  # fmt: skip
def test_eviction_latency(kueue_cluster, clock):
    queue = kueue_cluster.queue(1, cpu="1", preemption={"withinClusterQueue": "LowerPriority"})
    low, high = kueue_cluster.priority_class(-10), kueue_cluster.priority_class(10)
    victim = queue.brings_to("admitted", "job", cpu="1", labels={"kueue.x-k8s.io/priority-class": low})
    job = kueue_cluster.job_of(victim)
    job.has_pods(1)
    metrics, preempted = kueue_cluster.metrics_of(queue), {"reason": "Preempted"}

    queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": high})
    within("evict", lambda: victim.is_evicted() and job.is_suspended())
    clock.passes(clock.hold)
    always(lambda: metrics.measured("workload_eviction_latency_seconds", 0, 0, **preempted), clause="a")
    job.has_pods(0)

    within("settle", victim.is_suspended)
    held = victim.waited_for("QuotaReserved") - victim.waited_for("Evicted")
    always(lambda: metrics.measured("workload_eviction_latency_seconds", 1, held, **preempted), clause="b")


@scenario(
    "ADM-423", "evictions are counted by their reason",
    requirement="kep-993#stop-admitted", shows="AC-340 AC-342", since="0.19", level="should", clauses={"a": "one line for each reason, with its count"},
)  # fmt: skip
def test_evictions_are_counted(make_queue):
    queue = make_queue()
    workload = queue.submit()
    within("admit", workload.is_admitted)

    for what in ("cluster-queue-stopped", "local-queue-stopped", "cluster-queue-stopped"):
        queue.sends_back(workload, what)
        within("requeue", workload.is_admitted)

    within(
        "settle",
        lambda: workload.counts_evictions({("ClusterQueueStopped", ""): 2, ("LocalQueueStopped", ""): 1}),
        clause="a",
    )


@scenario(
    "ADM-438", "held quota, evictions and finished Workloads are counted",
    requirement="docs-2024#retry-evicts", shows="AC-343 AC-391 AC-392 AC-393 AC-394 AC-395 AC-396", level="should", since="0.19",
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "Workloads that wait, hold quota and are admitted", "b": "what a queue is", "c": "evictions by their reason, and the first ones apart",
        "d": "how long it took to give quota back", "e": "what is over", "f": "no wait for checks where there are none",
        "g": "all of it for the LocalQueue as well", "h": "nothing of a queue that is gone",
    },
)  # fmt: skip
def test_what_is_counted(kueue_cluster):
    queue = kueue_cluster.queue(cpu="1")
    metrics = kueue_cluster.metrics_of(queue)
    workload = queue.submit("job", cpu="1")
    within("admit", workload.is_admitted)
    waiting = queue.submit(cpu="1")
    within("settle", lambda: metrics.gauges(inadmissible=1, active=0, reserving=1, admitted=1), clause="a")
    within(
        "settle", lambda: metrics.users_gauges(inadmissible=1, active=0, reserving=1, admitted=1), clause="g"
    )
    always(lambda: metrics.tells("cluster_queue_status", 1, status="active"), clause="b")
    always(lambda: metrics.tells_users("status", 1, active="True"), clause="b")
    always(lambda: metrics.tells("admission_checks_wait_time_seconds_count", 0), clause="f")
    waiting.delete()

    queue.sends_back(workload, "cluster-queue-stopped")
    within("requeue", workload.is_admitted)
    queue.drains()
    within("evict", workload.is_suspended)
    stopped = {"reason": "ClusterQueueStopped"}
    always(lambda: metrics.tells("evicted_workloads_total", 2, **stopped, underlying_cause=""), clause="c")
    always(lambda: metrics.tells("evicted_workloads_total", 2), clause="c")
    always(lambda: metrics.tells("evicted_workloads_once_total", 1, **stopped), clause="c")
    always(lambda: metrics.tells_users("evicted_workloads_total", 2, **stopped), clause="g")
    always(lambda: metrics.measured("workload_eviction_latency_seconds", 2, 0, **stopped), clause="d")
    always(lambda: metrics.tells("cluster_queue_status", 1, status="pending"), clause="b")
    always(lambda: metrics.tells("cluster_queue_status", 0, status="active"), clause="b")
    always(lambda: metrics.tells_users("status", 1, active="False"), clause="b")
    queue.resumes()
    within("requeue", workload.is_admitted)
    always(lambda: metrics.tells("admitted_workloads_total", 3), clause="a")
    always(lambda: metrics.tells_users("admitted_workloads_total", 3), clause="g")
    workload.finish()

    within("settle", lambda: metrics.tells("finished_workloads_total", 1), clause="e")
    always(lambda: metrics.tells("finished_workloads_total", 1), clause="e")
    always(lambda: metrics.tells_users("finished_workloads_total", 1), clause="g")
    within("settle", lambda: metrics.gauges(inadmissible=0, active=0, reserving=0, admitted=0), clause="a")
    queue.delete()
    within("settle", lambda: queue.is_gone() and metrics.tells("cluster_queue_status", 0), clause="h")


@scenario(
    "ADM-448", "what is sent back is measured: how long its pods were ready, how long it held its quota, and its next wait",
    requirement="docs-2024#retry-evicts", shows="AC-344 AC-391 AC-393 AC-394 AC-395 AC-396", level="should", since="0.19",
    needs=(METRICS, "virtual time"),
    clauses={
        "a": "from pods that are ready to the eviction", "b": "from the eviction to the release",
        "c": "the next wait begins when it is queued again", "d": "the cause is told beside the reason", "e": "a queue that is being deleted is told so",
    },
)  # fmt: skip
def test_what_is_sent_back_is_measured(kueue_cluster, clock):
    queue = kueue_cluster.queue(checks=1)
    metrics = kueue_cluster.metrics_of(queue)
    workload, other = queue.brings_to("admitted", "job"), queue.brings_to("admitted", "job")
    waited = workload.waited_for("Admitted") + other.waited_for("Admitted")
    reserved = workload.waited_for("QuotaReserved") + other.waited_for("QuotaReserved")
    queue.checks[0].answers(other, "Rejected")
    within("evict", other.is_rejected)
    rejected = {"reason": "Deactivated", "underlying_cause": "AdmissionCheck"}
    always(lambda: metrics.tells("evicted_workloads_total", 1, **rejected), clause="d")
    always(lambda: metrics.tells_users("evicted_workloads_total", 1, **rejected), clause="d")
    job, stopped = kueue_cluster.job_of(workload), {"reason": "ClusterQueueStopped"}
    job.has_pods(active=1)
    within("react", lambda: workload.has_condition("PodsReady", "True"))
    ready = workload.waited_for("PodsReady")
    clock.passes(clock.hold)

    queue.drains()
    within("evict", workload.is_evicted)
    evicted = workload.waited_for("Evicted")
    always(
        lambda: metrics.measured("pods_ready_to_evicted_time_seconds", 1, evicted - ready, **stopped),
        clause="a",
    )
    clock.passes(clock.hold)
    job.has_pods(active=0)
    within("evict", workload.is_suspended)
    held = workload.waited_for("QuotaReserved") - evicted
    always(lambda: metrics.measured("workload_eviction_latency_seconds", 1, held, **stopped), clause="b")
    clock.passes(clock.hold)
    queue.resumes()
    within("requeue", lambda: workload.is_prechecked() and workload.has_states("Pending"))
    anew = workload.waited_for("QuotaReserved") - workload.waited_for("Requeued")
    always(lambda: metrics.measured("quota_reserved_wait_time_seconds", 3, reserved + anew), clause="c")
    clock.passes(clock.hold)
    queue.checks[0].answers(workload, "Ready")
    within("admit", workload.is_admitted)

    again = workload.waited_for("Admitted") - workload.waited_for("Requeued")
    always(lambda: metrics.measured("admission_wait_time_seconds", 3, waited + again), clause="c")
    queue.delete()
    within("settle", lambda: metrics.tells("cluster_queue_status", 1, status="terminating"), clause="e")


@scenario(
    "ADM-559", "the wait for checks that had passed before the reservation is none",
    requirement="docs-2024#admitted-when-ready", shows="AC-284 AC-392 AC-396", level="should", since="0.19", needs=(METRICS, "virtual time"),
    clauses={"a": "one wait of no seconds", "b": "for the LocalQueue as well"},
)  # fmt: skip
def test_no_wait_for_checks_that_have_passed(kueue_cluster, clock):
    queue = kueue_cluster.queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.checks[0].answers(workload, "Ready")
    clock.passes(clock.hold)

    queue.has_quota("1")

    within("admit", workload.is_admitted)
    metrics = kueue_cluster.metrics_of(queue)
    always(lambda: metrics.measured("admission_checks_wait_time_seconds", 1, 0), clause="a")
    always(lambda: metrics.measured_for_users("admission_checks_wait_time_seconds", 1, 0), clause="b")


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
    "ADM-570", "each metric has its type, its labels and the bounds of its waits",
    requirement="docs-2024#retry-evicts", shows="AC-390 AC-391 AC-392 AC-393 AC-394 AC-395 AC-396 MT-001 MT-025 MT-033", level="may", since="0.19",
    needs=(METRICS,), clauses={"a": "so is each that counts or measures what has happened"},
)  # fmt: skip
def test_kinds_of_metrics(kueue_cluster):
    queue = kueue_cluster.queue(1, cpu="1", preemption={"withinClusterQueue": "LowerPriority"})
    low, high = kueue_cluster.priority_class(-10), kueue_cluster.priority_class(10)
    victim = queue.brings_to("admitted", "job", cpu="1", labels={"kueue.x-k8s.io/priority-class": low})
    job = kueue_cluster.job_of(victim)
    job.has_pods(active=1)
    within("react", lambda: victim.has_condition("PodsReady", "True"))

    preemptor = queue.submit("job", cpu="1", labels={"kueue.x-k8s.io/priority-class": high})
    within("evict", victim.is_evicted)
    job.has_pods(active=0)
    within("reserve", preemptor.is_prechecked)
    queue.admits(preemptor)
    preemptor.finish()

    metrics = kueue_cluster.metrics_of(queue)
    within("settle", lambda: metrics.are_kept(KINDS), clause="a")


@scenario(
    "ADM-571", "the times until pods are ready are measured from being queued and from being admitted",
    requirement="docs-2024#retry-evicts", shows="MT-025 AC-396", level="should", since="0.19", needs=(METRICS, "virtual time"),
    clauses={"a": "nothing before", "b": "from being queued", "c": "from being admitted", "d": "both for the LocalQueue as well"},
)  # fmt: skip
def test_times_until_pods_are_ready(kueue_cluster, clock):
    name = kueue_cluster.priority_class(100)
    queue = kueue_cluster.queue(checks=1)
    workload = queue.submit("job", labels={"kueue.x-k8s.io/priority-class": name})
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    metrics, labels = kueue_cluster.metrics_of(queue), {"priority_class": name}
    clock.passes(clock.hold)
    queue.admits(workload)
    job = kueue_cluster.job_of(workload)
    within("start", job.is_started)
    always(lambda: metrics.measured("ready_wait_time_seconds", 0, 0), clause="a")
    clock.passes(clock.hold)

    job.has_pods(active=1)

    within("react", lambda: workload.has_condition("PodsReady", "True"))
    queued = workload.waited_for("PodsReady")
    admitted = queued - workload.waited_for("Admitted")
    always(lambda: metrics.measured("ready_wait_time_seconds", 1, queued, **labels), clause="b")
    always(
        lambda: metrics.measured("admitted_until_ready_wait_time_seconds", 1, admitted, **labels), clause="c"
    )
    always(lambda: metrics.measured_for_users("ready_wait_time_seconds", 1, queued, **labels), clause="d")
    always(
        lambda: metrics.measured_for_users("admitted_until_ready_wait_time_seconds", 1, admitted, **labels),
        clause="d",
    )
