"""ADM: Jobs that are changed while their Workloads wait for quota (AC-100, AC-331, Q-156, Q-158, Q-187)."""

from typing import NamedTuple

from kueue_conformance import always, cross, rows, scenario, within

MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"
TIME_LIMIT = "kueue.x-k8s.io/max-exec-time-seconds"
PRIORITY = "kueue.x-k8s.io/priority-class"
POOL = "example.com/pool"
SMALL, LARGE = {POOL: "small"}, {POOL: "large"}
TAINT = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}
TOLERATION = {"key": "example.com/dedicated", "operator": "Exists"}
OTHER_TOLERATION = {**TOLERATION, "key": "example.com/other"}
QUOTA = 4


def pods(init="1", **fields):
    """Return the fields of pods with an init container."""
    container = {"name": "init", "image": "registry.k8s.io/pause:3.10"}
    return {"initContainers": [{**container, "resources": {"requests": {"cpu": init}}}], **fields}


class Change(NamedTuple):
    """What is changed on a waiting Job of two pods, and the flavor, pods and CPU for which it is admitted."""

    act: object
    submitted: dict
    flavor: str = "second"
    count: int = 2
    usage: str = "2"


def with_minimum(number, count=2 * QUOTA):
    """Return the fields of a Job with a minimum parallelism."""
    return {"count": count, "annotations": {MIN_PARALLELISM: str(number)}}


CHANGES = {
    "init-request-raised": Change(
        lambda job: job.set_cpu_request("2", of="initContainers"), {"template": pods()}, usage="4"
    ),
    "init-request-lowered": Change(
        lambda job: job.set_cpu_request("1", of="initContainers"), {"template": pods("2")}, usage="2"
    ),
    "request-lowered": Change(lambda job: job.set_cpu_request("500m"), {}, usage="1"),
    "toleration-set": Change(lambda job: job.set_pod_fields(tolerations=[TOLERATION]), {}, flavor="first"),
    "toleration-set-beside-a-minimum": Change(
        lambda job: job.set_pod_fields(tolerations=[TOLERATION]), with_minimum(1, count=2), flavor="first"
    ),
    "toleration-changed": Change(
        lambda job: job.set_pod_fields(tolerations=[TOLERATION]),
        {"template": {"tolerations": [OTHER_TOLERATION]}},
        flavor="first",
    ),
    "toleration-taken": Change(
        lambda job: job.set_pod_fields(tolerations=None), {"template": {"tolerations": [TOLERATION]}}
    ),
    "node-selector-beside-tolerations": Change(
        lambda job: job.set_pod_fields(nodeSelector=LARGE, tolerations=[TOLERATION, OTHER_TOLERATION]),
        {"template": {"tolerations": [TOLERATION]}},
    ),
    "parallelism-raised": Change(lambda job: job.set_parallelism(3), {}, count=3, usage="3"),
    "parallelism-lowered": Change(lambda job: job.set_parallelism(1), {}, count=1, usage="1"),
    "minimum-set": Change(
        lambda job: job.set_min_parallelism(1), {"count": 2 * QUOTA}, count=QUOTA, usage=f"{QUOTA}"
    ),
    "minimum-lowered": Change(
        lambda job: job.set_min_parallelism(QUOTA), with_minimum(QUOTA + 1), count=QUOTA, usage=f"{QUOTA}"
    ),
    "time-limit-set": Change(lambda job: job.set_time_limit(3600), {}),
    "time-limit-changed": Change(lambda job: job.set_time_limit(60), {"labels": {TIME_LIMIT: "3600"}}),
    "time-limit-taken": Change(lambda job: job.set_time_limit(None), {"labels": {TIME_LIMIT: "3600"}}),
}


@scenario(
    "ADM-730",
    "a Job that is changed while its Workload waits for quota is admitted as it is then",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-100 AC-331 Q-156 Q-158 Q-187",
    since="0.19",
    gates=("PartialAdmission",),
    cases=cross(change=tuple(CHANGES)),
    clauses={
        "a": "its Workload has the pods, the minimum and the time limit of the Job, and is the only one",
        "b": "the flavor, the pods and the amounts of the admission are those of the changed Job",
        "c": "and so many pods run",
    },
)
def test_waiting_job_is_admitted_as_it_is(kueue_cluster, change):
    act, submitted, flavor, count, usage = CHANGES[change]
    first = kueue_cluster.make_flavor(nodeLabels=SMALL, nodeTaints=[TAINT])
    second = kueue_cluster.make_flavor(nodeLabels=LARGE)
    queue = kueue_cluster.make_queue(flavors=[first, second], cpu="0")
    workload = queue.submit("job", **{"cpu": "1", "count": 2, "completions": 2 * QUOTA, **submitted})
    job = kueue_cluster.job_of(workload)
    within(
        "settle", lambda: workload.has_condition("QuotaReserved", "False") and workload.is_equivalent_to(job)
    )

    act(job)

    within("react", lambda: workload.is_equivalent_to(job) and workload.is_the_only_one(), clause="a")
    always(lambda: workload.is_suspended() and job.is_suspended(), clause="a")
    queue.set_quota(f"{QUOTA}")
    assigned = {"first": first, "second": second}[flavor]
    admission = {"count": count, "flavors": {"cpu": assigned}, "resourceUsage": {"cpu": usage}}
    within(
        "requeue",
        lambda: workload.is_admitted() and workload.has_admission(queue, main=admission),
        clause="b",
    )
    within("settle", lambda: job.is_suspended().negate() and job.has_parallelism(count), clause="c")


@scenario(
    "ADM-766",
    "a Workload that was deactivated stays so when its waiting Job is changed",
    requirement=("kep-993#hold", "kep-993#not-reserved-at-first"),
    shows="AC-293 AC-331",
    since="0.19",
    cases=cross(change=("init-request-raised", "toleration-set", "parallelism-lowered", "time-limit-set")),
    clauses={"a": "it has what the Job asks for then", "b": "it is not active, and gets no quota"},
)
def test_changed_job_of_an_inactive_workload(kueue_cluster, change):
    act, submitted, *_ = CHANGES[change]
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit("job", **{"cpu": "1", "count": 2, **submitted})
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    workload.deactivate()
    within("settle", workload.is_inactive)

    act(job)

    within("react", lambda: workload.is_equivalent_to(job), clause="a")
    queue.set_quota(f"{QUOTA}")
    always(lambda: workload.is_inactive() and workload.is_suspended() and job.is_suspended(), clause="b")


@scenario(
    "ADM-731",
    "a Job that needs more pods than there is quota for waits when its minimum is raised or taken away meanwhile",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-331 Q-187",
    since="0.19",
    revision=2,
    cases=rows("minimum", ("raised",), ("taken",)),
    clauses={"a": "its Workload has the minimum of the Job", "b": "it gets no quota before its minimum fits"},
)
def test_minimum_goes_while_it_waits(kueue_cluster, minimum):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit("job", cpu="1", **with_minimum(1, count=QUOTA))
    job = kueue_cluster.job_of(workload)
    within(
        "settle", lambda: workload.has_condition("QuotaReserved", "False") and workload.is_equivalent_to(job)
    )

    # Kueue's webhook takes no minimum as large as the parallelism.
    least, too_little = {"raised": (QUOTA - 1, QUOTA - 2), "taken": (None, QUOTA - 1)}[minimum]
    job.set_min_parallelism(least)

    within("react", lambda: workload.is_equivalent_to(job) and workload.is_the_only_one(), clause="a")
    queue.set_quota(f"{too_little}")
    always(lambda: workload.is_suspended() and queue.shows_reserved("0"), clause="b")
    queue.set_quota(f"{QUOTA}")
    within("requeue", workload.is_admitted, clause="b")
    within("settle", lambda: job.is_suspended().negate() and job.has_parallelism(QUOTA), clause="b")


@scenario(
    "ADM-732",
    "a Job runs as long as it may by the label that it had when it was admitted",
    requirement=("kep-993#stop-admitted", "kueue-api#execution-time"),
    shows="AC-100 AC-317 AC-331",
    since="0.19",
    needs=("virtual time",),
    cases=rows("limit", ("set",), ("raised",), ("lowered",), ("taken",)),
    clauses={"a": "it runs for that time", "b": "then it is deactivated, if it has a limit"},
)
def test_time_limit_changes_while_it_waits(kueue_cluster, clock, limit):
    before, after, end = {
        "set": (None, 60, True),
        "raised": (30, 60, True),
        "lowered": (3600, 60, True),
        "taken": (60, None, False),
    }[limit]
    queue = kueue_cluster.make_queue(cpu="0")
    labels = {} if before is None else {TIME_LIMIT: f"{before}"}
    workload = queue.submit("job", cpu="1", labels=labels)
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    job.set_time_limit(after)
    within("react", lambda: workload.has_spec(maximumExecutionTimeSeconds=after))
    queue.set_quota("1")
    within("requeue", lambda: workload.is_admitted() and job.is_started())

    clock.advance_while(60, lambda: workload.is_admitted() and job.is_started(), touched=workload, clause="a")

    ends = {True: workload.is_rejected, False: workload.is_admitted}[end]
    within("prompt", ends, clause="b")
    always(ends, clause="b")


@scenario(
    "ADM-733",
    "a Job whose priority class is set or changed while it waits takes its new place in the queue",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-097 AC-098 AC-331",
    since="0.19",
    cases=rows("priority_class", ("set",), ("raised",), ("lowered",)),
    clauses={
        "a": "its Workload has the value and the class of the label, and is the only one",
        "b": "the one that is more important by then is admitted, and the other one waits",
    },
)
def test_priority_class_changes_while_it_waits(kueue_cluster, priority_class):
    before, after, is_first = {"set": (None, 9, True), "raised": (1, 9, True), "lowered": (9, 1, False)}[
        priority_class
    ]
    queue, named = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_priority_class(after)
    labels = {} if before is None else {PRIORITY: kueue_cluster.make_priority_class(before)}
    workload, other = queue.submit("job", cpu="1", labels=labels), queue.submit(cpu="1", priority=5)
    within("settle", lambda: queue.shows_counts(pending=2))

    kueue_cluster.job_of(workload).set_priority_class(named)

    reference = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": named}
    within(
        "react",
        lambda: workload.has_spec(priority=after, priorityClassRef=reference) and workload.is_the_only_one(),
        clause="a",
    )
    queue.set_quota("1")
    first, second = (workload, other) if is_first else (other, workload)
    within("requeue", first.is_admitted, clause="b")
    always(second.is_suspended, clause="b")
