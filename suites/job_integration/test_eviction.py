"""JIN: a job whose Workload is evicted stops, is restored, gives its quota back, and starts anew."""

from kueue_conformance import always, never, scenario, within

STOPS = "integrations#stops-at-eviction"
RELEASES = "integrations#quota-last"
AGAIN = "integrations#starts-anew"
SPOT = {"key": "spot", "operator": "Exists", "effect": "NoSchedule"}
UPDATED = {"example.com/team": "ours"}


@scenario(
    "JIN-030",
    "a job whose Workload is evicted is suspended, and has the pod templates of its user again",
    requirement=STOPS,
    shows="JI-030 JI-031",
    since="0.9",
    clauses={"a": "it is suspended", "b": "its templates are exactly those that it was created with"},
)
def test_evicted(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1, flavors=[kueue_cluster.make_flavor(tolerations=[SPOT])])
    job = integration.submit(queue, template={"labels": {"example.com/kept": "mine"}})
    templates = job.templates
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    updates = kueue_cluster.pod_updates("annotations", pods=job.main_pod_set)
    queue.checks[0].answer(job.workload, "Ready", updates=updates)
    within("start", job.is_running)

    job.workload.deactivate()

    within("evict", job.is_suspended, clause="a")
    within("evict", lambda: job.has_templates(templates), clause="b")


@scenario(
    "JIN-031",
    "an evicted Workload keeps its quota while pods of its job are left, and gives it back then",
    requirement=RELEASES,
    shows="JI-032",
    since="0.9",
    clauses={
        "a": "the job is suspended",
        "b": "the quota is kept",
        "c": "and given back when no pod is left",
    },
)
def test_quota_last(make_queue, integration):
    job = integration.start_job(make_queue())

    job.workload.deactivate()

    within("evict", job.is_suspended, clause="a")
    always(job.workload.has_quota_reserved, clause="b")
    job.end_pods()
    within("evict", job.has_no_quota, clause="c")


@scenario(
    "JIN-032",
    "the quota of a preempted Workload can be used by the next one when no pod of its job is left",
    requirement=RELEASES,
    shows="JI-032 JI-035",
    since="0.9",
    clauses={"a": "the next job does not run before", "b": "it runs when the first one has no pods"},
)
def test_next_job(make_queue, integration, kueue_cluster):
    queue = make_queue(cpu="1", preemption={"withinClusterQueue": "LowerPriority"})
    first = integration.start_job(queue)
    # By preemption: of a deactivated Workload Kueue uses the quota at once (JI-036).
    second = integration.submit(queue, priority_class=kueue_cluster.make_priority_class(1000))
    within("evict", first.is_suspended)

    never(second.is_running, clause="a")

    first.end_pods()
    within("start", second.is_running, clause="b")


@scenario(
    "JIN-033",
    "a Workload that is evicted before its job has started gives its quota back",
    requirement=RELEASES,
    shows="JI-034",
    since="0.9",
    clauses={"a": "no quota is held", "b": "the job did not run"},
)
def test_evicted_before_start(queue, integration):
    job = integration.submit(queue)
    within("reserve", job.workload.is_prechecked)

    job.workload.deactivate()

    within("evict", job.has_no_quota, clause="a")
    always(lambda: job.was_started(0), clause="b")


@scenario(
    "JIN-034",
    "a job that is admitted again runs on its new flavor, with nothing of the old one",
    requirement=AGAIN,
    shows="JI-033",
    since="0.9",
    clauses={
        "a": "it runs again",
        "b": "it selects the nodes of the new flavor",
        "c": "and tolerates nothing that the old one did",
    },
)
def test_other_flavor(make_queue, integration, kueue_cluster):
    old, new = kueue_cluster.make_flavor(tolerations=[SPOT]), kueue_cluster.make_flavor()
    queue = make_queue(flavors=[old, new])
    job = integration.start_job(queue)
    queue.set_quotas("0", "10")
    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()
    within("evict", job.has_no_quota)

    job.workload.reactivate()

    within("requeue", job.is_running, clause="a")
    always(lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(new)), clause="b")
    always(lambda: job.has_no_toleration(SPOT), clause="c")


@scenario(
    "JIN-035",
    "a job that is admitted again does not keep what a check added to its pods the first time",
    requirement=AGAIN,
    shows="JI-031 JI-033",
    since="0.9",
    clauses={"a": "it runs again", "b": "its pods have nothing of it"},
)
def test_other_updates(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1)
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    updates = kueue_cluster.pod_updates("labels", pods=job.main_pod_set)
    queue.checks[0].answer(job.workload, "Ready", updates=updates)
    within("start", job.is_running)
    queue.checks[0].answer(job.workload, "Retry", updates=[])
    within("evict", job.is_suspended)
    within(
        "requeue",
        lambda: job.workload.is_prechecked() and job.workload.has_states("Pending", queue.checks[0]),
    )

    queue.checks[0].answer(job.workload, "Ready", updates=[])

    within("requeue", job.is_running, clause="a")
    always(lambda: job.has_none_in_templates("labels", UPDATED), clause="b")


@scenario(
    "JIN-036",
    "a job does not run between its eviction and its next admission",
    requirement=STOPS,
    shows="JI-010 JI-030",
    since="0.9",
    clauses={"a": "it does not run while a check is Pending again", "b": "it runs when that is Ready"},
)
def test_waits_again(queue, integration):
    job = integration.start_job(queue)
    queue.checks[0].answer(job.workload, "Retry")
    within("evict", job.is_suspended)
    job.end_pods()
    within(
        "requeue", lambda: job.workload.is_prechecked() and job.workload.has_states("Pending", *queue.checks)
    )

    never(job.is_running, clause="a")

    queue.checks[0].answer(job.workload, "Ready")
    within("start", job.is_running, clause="b")


@scenario(
    "JIN-037",
    "a job whose user has suspended it gives its quota back when its Workload is evicted",
    requirement=RELEASES,
    shows="JI-034",
    since="0.9",
    clauses={"a": "no quota is held"},
)
def test_suspended_and_evicted(make_queue, integration, kueue_cluster):
    job = integration.start_job(make_queue())
    with integration.delay_start():
        job.suspend()
        job.workload.deactivate()
        job.end_pods()

    within("recover", job.has_no_quota, clause="a")


@scenario(
    "JIN-038",
    "a job that is evicted a second time has the pod templates of its user again",
    requirement=STOPS,
    shows="JI-031 JI-038",
    since="0.19",
    clauses={"a": "it is suspended", "b": "its templates are exactly those that it was created with"},
)
def test_evicted_twice(make_queue, integration):
    queue = make_queue()
    job = integration.submit(queue)
    templates = job.templates
    within("start", job.is_running)
    for _ in range(2):
        job.workload.deactivate()
        within("evict", lambda: job.is_suspended() and job.has_no_quota(), clause="a")
        always(lambda: job.has_templates(templates), clause="b")
        job.workload.reactivate()
        within("requeue", job.is_running)


@scenario(
    "JIN-039",
    "the Workload of an evicted job is the same one when it is admitted again",
    requirement=AGAIN,
    shows="JI-039",
    since="0.19",
    clauses={"a": "it runs again", "b": "by the same Workload"},
)
def test_same_workload(make_queue, integration):
    job = integration.start_job(make_queue())
    uid = job.workload_uid
    job.workload.deactivate()
    within("evict", job.is_suspended)
    job.end_pods()
    within("evict", job.has_no_quota)

    job.workload.reactivate()

    within("requeue", job.is_running, clause="a")
    always(lambda: job.has_workload(uid), clause="b")


@scenario(
    "JIN-132",
    "a job that its user has suspended when it is evicted runs on its new flavor, with nothing of the old one",
    requirement=AGAIN,
    shows="JI-031 JI-033 JI-034",
    since="0.19",
    clauses={
        "a": "it runs again",
        "b": "it selects the nodes of the new flavor",
        "c": "and tolerates nothing that the old one did",
    },
)
def test_suspended_and_other_flavor(make_queue, integration, kueue_cluster):
    old, new = kueue_cluster.make_flavor(tolerations=[SPOT]), kueue_cluster.make_flavor()
    queue = make_queue(flavors=[old, new])
    job = integration.start_job(queue)
    queue.set_quotas("0", "10")
    with integration.delay_start():
        job.suspend()
        job.workload.deactivate()
        job.end_pods()
    within("recover", job.has_no_quota)

    job.workload.reactivate()

    within("requeue", job.is_running, clause="a")
    always(lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(new)), clause="b")
    always(lambda: job.has_no_toleration(SPOT), clause="c")
