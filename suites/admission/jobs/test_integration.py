"""ADM: what Kueue does with Jobs (AC-330…338, AC-115, AC-272; KEP-993, "a Workload … of a Job")."""

from kueue_conformance import always, rows, scenario, within

HIGH, LOW = 100, 1
PRIORITY = "kueue.x-k8s.io/priority-class"


@scenario(
    "ADM-430",
    "a Job has one Workload with the requests of the Job",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-331 AC-097 AC-100",
    since="0.19",
    cases=rows("completions pods", (3, 3), (9, 3), (2, 2)),
    clauses={
        "a": "it is owned by the Job, and stays while Kueue needs it",
        "b": "queue, pods and times are the Job's",
        "c": "there is no other one",
    },
)
def test_workload_of_a_job(kueue_cluster, completions, pods):
    queue = kueue_cluster.make_queue(checks=1)

    workload = queue.submit(
        "job",
        cpu="2",
        count=3,
        completions=completions,
        labels={"kueue.x-k8s.io/max-exec-time-seconds": "3600"},
    )

    within("reserve", lambda: workload.was_ever("QuotaReserved"))
    always(workload.is_owned_by_its_job, clause="a")
    always(lambda: workload.has_spec(queueName=queue.name, maximumExecutionTimeSeconds=3600), clause="b")
    always(lambda: workload.has_pod_sets(main=pods), clause="b")
    always(workload.is_the_only_one, clause="c")


@scenario(
    "ADM-431",
    "a Job that runs without being admitted is stopped",
    requirement="kep-993#every-check-required",
    shows="AC-335",
    cases=rows("when", ("from-the-start",), ("later",)),
    clauses={"a": "it is suspended again", "b": "it runs when it is admitted"},
)
def test_unadmitted_job_is_stopped(kueue_cluster, when):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit("job", suspend=when == "later")
    job = kueue_cluster.job_of(workload)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    job.unsuspend()

    within("react", job.is_suspended, clause="a")
    always(job.is_suspended, clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started, clause="b")


@scenario(
    "ADM-432",
    "the quota of an evicted Job is free when its pods are gone, and not before",
    requirement="docs-2024#retry-releases",
    shows="AC-289 AC-332 AC-336",
    needs=("virtual time",),
    since="0.9",
    cases=rows("why", ("retried",), ("deactivated",), ("stopped",)),
    clauses={
        "a": "the Job is suspended",
        "b": "quota is held as long as there are pods",
        "c": "then it is released",
    },
)
def test_quota_until_pods_are_gone(kueue_cluster, why):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted", "job", cpu="1")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=1)

    {
        "retried": lambda: queue.checks[0].answer(workload, "Retry"),
        "deactivated": workload.deactivate,
        "stopped": queue.hold_and_drain,
    }[why]()
    within("evict", lambda: job.is_suspended() and workload.is_evicted(), clause="a")
    always(lambda: workload.was_released().negate(), clause="b")
    job.set_pods(active=0)

    within("evict", workload.was_released, clause="c")


@scenario(
    "ADM-433",
    "the Workload of a Job is Finished when the Job ends",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-296 AC-330",
    needs=("virtual time",),
    cases=rows("end reason", ("succeeds", "Succeeded"), ("fails", "Failed")),
    clauses={"a": "Finished, well or not", "b": "quota is free", "c": "it is not started again"},
)
def test_end_of_a_job(kueue_cluster, end, reason):
    queue = kueue_cluster.make_queue()
    workload = queue.submit("job")
    job = kueue_cluster.job_of(workload)
    within("admit", lambda: job.is_started() and queue.shows_counts(reserving=1, admitted=1))
    job.set_pods(active=1)

    {"succeeds": workload.finish, "fails": lambda: job.fail("too many retries")}[end]()

    within("settle", lambda: workload.has_condition("Finished", "True", reason), clause="a")
    within(
        "settle",
        lambda: queue.shows_reserved("0") and queue.shows_counts(reserving=0, admitted=0),
        clause="b",
    )
    always(lambda: workload.reservation_count() == 1, clause="c")


@scenario(
    "ADM-434",
    "a suspended Job can be changed by its user",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-331 AC-334",
    since="0.19",
    cases=rows("example", ("queue",), ("amount",), ("priority",)),
    clauses={"a": "it is admitted accordingly"},
)
def test_waiting_job_is_changed(kueue_cluster, example, clock):
    full, other = kueue_cluster.make_queue(cpu="2"), kueue_cluster.make_queue(cpu="2")
    running = full.submit(cpu="1")
    within("admit", running.is_admitted)
    first = full.submit(cpu="2", priority=LOW)
    workload = full.submit("job", cpu="2")
    job, important = kueue_cluster.job_of(workload), kueue_cluster.make_priority_class(HIGH)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    clock.advance_budget("react")

    {
        "queue": lambda: job.set_queue(other),
        "amount": lambda: job.set_cpu_request("1"),
        "priority": lambda: (
            job.set_priority_class(important),
            clock.advance_budget("react"),
            running.delete(),
        ),
    }[example]()

    within("requeue", lambda: workload.is_admitted() and job.is_started(), clause="a")
    always(lambda: first.is_suspended() and workload.is_the_only_one(), clause="a")


@scenario(
    "ADM-638",
    "a pending Job is admitted with fewer pods when its user lowers its minimum parallelism",
    requirement="kep-993#not-reserved-at-first",
    shows="AC-331 Q-187",
    since="0.19",
    gates=("PartialAdmission",),
    clauses={
        "a": "it stays pending while it needs all or nothing",
        "b": "it runs with as many pods as fit",
    },
)
def test_minimum_comes_while_it_waits(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="2")
    workload = queue.submit("job", cpu="1", count=3)
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    always(lambda: workload.is_suspended() and job.is_suspended(), clause="a")

    job.set_min_parallelism(1)

    within("requeue", lambda: workload.is_admitted() and job.is_started(), clause="b")
    within("settle", lambda: job.has_parallelism(2) and queue.shows_reserved("2"), clause="b")
    always(lambda: workload.is_admitted() and workload.is_the_only_one(), clause="b")


@scenario(
    "ADM-435",
    "PodsReady of a Workload says whether the pods of its Job are ready",
    requirement="kueue-api#pods-in-time",
    shows="AC-272",
    since="0.19",
    level="should",
    needs=("virtual time",),
    clauses={
        "a": "not before they are",
        "b": "when all are",
        "c": "no more when one has failed",
        "d": "again",
    },
)
def test_pods_ready(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job", count=3)
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("PodsReady", "False", "WaitForStart"), clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started)
    job.set_pods(active=3, ready=2)
    always(lambda: workload.has_condition("PodsReady", "False", "WaitForStart"), clause="a")

    job.set_pods(active=2, ready=2, succeeded=1)
    within("react", lambda: workload.has_condition("PodsReady", "True", "Started"), clause="b")
    job.set_pods(active=2, ready=1, succeeded=1)
    within("react", lambda: workload.has_condition("PodsReady", "False", "WaitForRecovery"), clause="c")
    job.set_pods(active=2, ready=2, succeeded=1)

    within("react", lambda: workload.has_condition("PodsReady", "True", "Recovered"), clause="d")


@scenario(
    "ADM-436",
    "a Job whose Workload is deleted by a user is stopped, and starts again",
    requirement="kep-993#every-check-required",
    shows="AC-330 AC-331",
    clauses={"a": "another Workload is made", "b": "which its check holds back"},
)
def test_deleted_workload(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted", "job")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)

    workload.delete_workload()

    within("evict", lambda: workload.was_recreated() and workload.is_prechecked(), clause="a")
    always(job.is_suspended, clause="b")
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started, clause="b")


@scenario(
    "ADM-414",
    "a Job with fewer pods left to run frees their quota",
    requirement="kueue-api#reclaimable-pods",
    shows="AC-115 Q-083 Q-085",
    since="0.19",
    needs=("virtual time",),
    clauses={"a": "no quota is released while all pods are needed", "b": "then so much as is not"},
)
def test_job_gives_pods_back(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="3")
    workload = queue.submit("job", cpu="1", count=3, completions=5)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    waiting = queue.submit(cpu="1")
    always(waiting.is_suspended)

    job.set_pods(active=3, succeeded=2)
    within("settle", lambda: queue.shows_reserved("3"), clause="a")
    always(lambda: waiting.is_suspended() and queue.shows_reserved("3"), clause="a")
    job.set_pods(active=2, succeeded=3)

    within("requeue", waiting.is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved("3") and queue.shows_used("3"), clause="b")


@scenario(
    "ADM-642",
    "a Workload that refers to a Job without being controlled by it is left alone",
    requirement="kueue-api#owners",
    shows="AC-331 BUG-165",
    since="0.19",
    clauses={"a": "it stays, and keeps its quota", "b": "the Job keeps its own Workload"},
)
def test_workload_that_refers_to_a_job(kueue_cluster):
    queue = kueue_cluster.make_queue()
    foreign, workload = queue.submit(), queue.submit("job")
    job = kueue_cluster.job_of(workload)
    within("admit", lambda: foreign.is_admitted() and job.is_started())

    foreign.add_reference_to(job)

    always(lambda: foreign.exists() and foreign.is_admitted(), clause="a")
    always(lambda: workload.is_admitted() and workload.is_owned_by_its_job() and job.is_started(), clause="b")


@scenario(
    "ADM-639",
    "an Indexed Job releases the quota of failed and of completed indexes",
    requirement="kueue-api#reclaimable-pods",
    shows="KV-83 AC-115 Q-083",
    since="0.19",
    needs=("virtual time",),
    cases=rows("failed completed", ("1", "0"), ("0,1", "2")),
    clauses={
        "a": "that of the failed ones",
        "b": "that of one which has completed as well",
        "c": "and no more",
    },
)
def test_indexed_job_gives_failed_indexes_back(kueue_cluster, failed, completed):
    queue = kueue_cluster.make_queue(cpu="3")
    workload = queue.submit("job", cpu="1", count=3, completionMode="Indexed", backoffLimitPerIndex=0)
    job, number = kueue_cluster.job_of(workload), len(failed.split(","))
    within("admit", job.is_started)
    first, second = queue.submit(cpu=f"{number}", priority=1), queue.submit(cpu="1")
    last = queue.submit(cpu="1", priority=-1)
    always(lambda: first.is_suspended() and second.is_suspended())

    job.set_indexes(active=3 - number, failed=failed)
    within("requeue", first.is_admitted, clause="a")
    always(second.is_suspended, clause="a")
    job.set_indexes(active=2 - number, failed=failed, completed=completed)

    within("requeue", second.is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved("3"), clause="c")
    always(lambda: last.is_suspended() and queue.shows_reserved("3"), clause="c")


@scenario(
    "ADM-625",
    "the Workload of a Job has the priority of the pods' PriorityClass, unless the Job names a WorkloadPriorityClass",
    requirement="kueue-api#priority",
    shows="AC-097 AC-098",
    since="0.19",
    cases=rows(
        "pods job priority of",
        (10, None, 10, "pods"),
        (-10, None, -10, "pods"),
        (0, None, 0, "pods"),
        (10, 5, 5, "job"),
    ),
    clauses={"a": "the value and the class", "b": "which orders the queue"},
)
def test_priority_of_pods(kueue_cluster, pods, job, priority, of):
    queue = kueue_cluster.make_queue(cpu="1")
    running = queue.submit_until("admitted", cpu="1")
    before, after = (queue.submit(cpu="1", priority=priority + difference) for difference in (1, -1))
    named = kueue_cluster.make_pod_priority_class(pods)
    label = {} if job is None else {PRIORITY: kueue_cluster.make_priority_class(job)}

    workload = queue.submit("job", cpu="1", labels=label, template={"priorityClassName": named})

    expected = (
        {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": named}
        if of == "pods"
        else {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": label[PRIORITY]}
    )
    within("react", lambda: workload.has_spec(priority=priority, priorityClassRef=expected), clause="a")
    for first, next_one in ((running, before), (before, workload), (workload, after)):
        first.finish()
        within("requeue", next_one.is_admitted, clause="b")
