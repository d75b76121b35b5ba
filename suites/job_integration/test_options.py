"""JIN: options of an integration: fewer pods, pods that are ready, reclaimed, or run elsewhere."""

from kueue_conformance import always, scenario, within

PARTIAL = "integrations#partial-admission"
READY = "integrations#pods-ready"
RECLAIMED = "integrations#reclaimable-pods"
MULTI_KUEUE = "kueue.x-k8s.io/multikueue"


@scenario(
    "JIN-105",
    "a job that may run with fewer pods says so, and runs with as many as were admitted",
    requirement=PARTIAL,
    shows="JI-091",
    needs=("job.capabilities: PartialAdmission",),
    since="0.19",
    clauses={"a": "it runs", "b": "with as many pods as fit"},
)
def test_fewer_pods_admitted(make_queue, integration):
    job = integration.submit(make_queue(cpu="2"), parallelism=3, min_count=1)

    within("start", job.is_running, clause="a")
    always(lambda: job.has_pods(2), clause="b")


@scenario(
    "JIN-106",
    "a job that ran with fewer pods has the count of its user again when it is evicted",
    requirement=PARTIAL,
    shows="JI-091 JI-100",
    needs=("job.capabilities: PartialAdmission",),
    since="0.19",
    clauses={"a": "it is suspended, with the count of its user", "b": "its Workload asks for as many"},
)
def test_count_restored(make_queue, integration):
    job = integration.submit(make_queue(cpu="2"), parallelism=3, min_count=1)
    within("start", lambda: job.is_running() and job.has_pods(2))

    job.workload.deactivate()

    within("evict", lambda: job.is_suspended() and job.has_pods(3), clause="a")
    always(job.is_described_by_its_workload, clause="b")


@scenario(
    "JIN-107",
    "a job that runs with fewer pods than it asked for is not taken for one that was changed",
    requirement=PARTIAL,
    shows="JI-100",
    needs=("job.capabilities: PartialAdmission",),
    since="0.19",
    clauses={"a": "it runs", "b": "it was started once", "c": "by the same Workload"},
)
def test_fewer_pods_stay(make_queue, integration, clock):
    job = integration.submit(make_queue(cpu="2"), parallelism=3, min_count=1)
    within("react", job.has_one_workload)
    uid = job.workload_uid
    within("start", job.is_running, clause="a")
    job.begin_pods()

    clock.advance(clock.hold)

    always(lambda: job.is_running() and job.was_started(1), clause="b")
    always(lambda: job.has_workload(uid), clause="c")


@scenario(
    "JIN-110",
    "pods of a running job that have ended for good are reclaimable, and others use their quota",
    requirement=RECLAIMED,
    shows="JI-090",
    needs=("job.capabilities: ReclaimablePods",),
    since="0.19",
    clauses={"a": "its Workload says how many", "b": "another job runs in their place", "c": "it runs on"},
)
def test_reclaimable_pods(make_queue, integration):
    queue = make_queue(cpu="3")
    job, other = integration.start_job(queue, parallelism=3), integration.submit(queue)

    job.end_some_pods(1)

    within("react", lambda: job.has_reclaimable_pods(1), clause="a")
    within("start", other.is_running, clause="b")
    always(lambda: job.is_running() and job.was_started(1), clause="c")


@scenario(
    "JIN-111",
    "the number of reclaimable pods grows with those that end",
    requirement=RECLAIMED,
    shows="JI-090",
    needs=("job.capabilities: ReclaimablePods",),
    since="0.19",
    clauses={"a": "one is reclaimable", "b": "then two"},
)
def test_more_reclaimable_pods(make_queue, integration):
    job = integration.start_job(make_queue(), parallelism=3)
    job.end_some_pods(1)
    within("react", lambda: job.has_reclaimable_pods(1), clause="a")

    job.end_some_pods(2)

    within("react", lambda: job.has_reclaimable_pods(2), clause="b")


@scenario(
    "JIN-113",
    "PodsReady is False until all pods of a job are ready, and True then",
    requirement=READY,
    shows="JI-092",
    needs=("job.capabilities: PodsReady",),
    since="0.19",
    clauses={"a": "it is False while they start", "b": "it is True when all are ready"},
)
def test_pods_ready(make_queue, integration):
    job = integration.submit(make_queue())
    within("start", job.is_running)
    job.begin_some_pods()
    within("react", lambda: job.workload.has_condition("PodsReady", "False"), clause="a")
    always(lambda: job.workload.has_condition("PodsReady", "False"), clause="a")

    job.begin_pods()

    within("react", lambda: job.workload.has_condition("PodsReady", "True"), clause="b")


@scenario(
    "JIN-114",
    "PodsReady is False while a pod that failed is replaced, and says that it waits for recovery",
    requirement=READY,
    shows="JI-092 JI-101",
    needs=("job.capabilities: PodsReady",),
    since="0.19",
    clauses={"a": "it is False, WaitForRecovery", "b": "it is True, Recovered, when all are ready again"},
)
def test_pods_recover(make_queue, integration):
    job = integration.start_job(make_queue())
    within("react", lambda: job.workload.has_condition("PodsReady", "True"))

    job.begin_some_pods()

    within("react", lambda: job.workload.has_condition("PodsReady", "False", "WaitForRecovery"), clause="a")
    job.begin_pods()
    within("react", lambda: job.workload.has_condition("PodsReady", "True", "Recovered"), clause="b")


@scenario(
    "JIN-115",
    "PodsReady is False when the job was evicted",
    requirement=READY,
    shows="JI-092",
    needs=("job.capabilities: PodsReady",),
    since="0.19",
    clauses={"a": "it is False when no quota is held"},
)
def test_not_ready_after_eviction(make_queue, integration):
    job = integration.start_job(make_queue())
    within("react", lambda: job.workload.has_condition("PodsReady", "True"))

    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()

    within(
        "evict", lambda: job.has_no_quota() and job.workload.has_condition("PodsReady", "False"), clause="a"
    )


@scenario(
    "JIN-123",
    "the field that says that MultiKueue runs a job is left alone",
    requirement="integrations#nothing-of-others",
    shows="JI-094",
    needs=("job.capabilities: MultiKueue",),
    since="0.19",
    clauses={"a": "it is there when the job is started", "b": "and when it is stopped"},
)
def test_managed_elsewhere(make_queue, integration):
    job = integration.submit(make_queue(), managed_by=MULTI_KUEUE)
    within("start", job.is_running)
    always(lambda: job.is_managed_by(MULTI_KUEUE), clause="a")

    job.workload.deactivate()

    within("evict", job.is_suspended)
    always(lambda: job.is_managed_by(MULTI_KUEUE), clause="b")


@scenario(
    "JIN-122",
    "Events tell on a job that its Workload was created, and that it was started and stopped",
    level="may",
    requirement="integrations#events",
    shows="JI-097",
    needs=("job.capabilities: Events",),
    since="0.19",
    clauses={"a": "CreatedWorkload", "b": "Started", "c": "Stopped"},
)
def test_events(make_queue, integration):
    job = integration.start_job(make_queue())
    within("prompt", lambda: job.has_event("CreatedWorkload"), clause="a")
    within("prompt", lambda: job.has_event("Started"), clause="b")

    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()

    within("prompt", lambda: job.has_event("Stopped"), clause="c")
