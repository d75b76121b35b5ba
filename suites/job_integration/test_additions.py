"""JIN: what flavors and checks add to the pods of a job when it starts."""

from kueue_conformance import always, cross, never, scenario, within

PLACED = "integrations#starts-as-admitted"
SPOT = {"key": "spot", "operator": "Exists", "effect": "NoSchedule"}
UPDATED = {"example.com/team": "ours"}


@scenario(
    "JIN-020",
    "the pods of a job get the node labels of the flavor that was assigned",
    requirement=PLACED,
    shows="JI-020",
    clauses={"a": "the pod template selects them"},
)
def test_node_labels(make_queue, integration, kueue_cluster):
    queue = make_queue()

    job = integration.submit(queue)

    within("start", job.is_running)
    always(
        lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(queue.flavors[0])),
        clause="a",
    )


@scenario(
    "JIN-021",
    "the pods of a job get the tolerations of the flavor that was assigned",
    requirement=PLACED,
    shows="JI-021",
    clauses={"a": "the pod template has them, once"},
)
def test_tolerations(make_queue, integration, kueue_cluster):
    queue = make_queue(flavors=[kueue_cluster.make_flavor(tolerations=[SPOT])])

    job = integration.submit(queue)

    within("start", job.is_running)
    always(lambda: job.has_toleration(SPOT), clause="a")


@scenario(
    "JIN-022",
    "the pods of a job get the podSetUpdates of a check",
    requirement=PLACED,
    shows="JI-022",
    clauses={"a": "the pod template has them when it starts"},
    cases=cross(section=("labels", "annotations", "nodeSelector")),
)
def test_pod_set_updates(make_queue, integration, kueue_cluster, section):
    queue = make_queue(checks=1)
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))

    queue.checks[0].answer(
        job.workload, "Ready", updates=kueue_cluster.pod_updates(section, pods=job.main_pod_set)
    )

    within("start", job.is_running)
    always(lambda: job.has_in_template(section, UPDATED), clause="a")


@scenario(
    "JIN-023",
    "the pods of a job get the podSetUpdates of every check, and tolerations among them",
    requirement=PLACED,
    shows="JI-022",
    clauses={"a": "they have those of the first check", "b": "they have those of the second"},
)
def test_updates_of_several_checks(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=2)
    job = integration.submit(queue)
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))
    first, second = queue.checks
    pods = job.main_pod_set

    first.answer(job.workload, "Ready", updates=kueue_cluster.pod_updates("labels", pods=pods))
    second.answer(job.workload, "Ready", updates=[{"name": pods, "tolerations": [SPOT]}])

    within("start", job.is_running)
    always(lambda: job.has_in_template("labels", UPDATED), clause="a")
    always(lambda: job.has_toleration(SPOT), clause="b")


@scenario(
    "JIN-024",
    "a job whose pods contradict what a check adds to them is not started, and its Workload is Finished",
    level="should",
    requirement=PLACED,
    shows="JI-023",
    since="0.9",
    clauses={"a": "the Workload is Finished, FailedToStart", "b": "the job does not run"},
)
def test_contradiction(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1)
    job = integration.submit(queue, template={"labels": {"example.com/team": "theirs"}})
    within("reserve", lambda: job.workload.is_prechecked() and job.workload.lists_checks(*queue.checks))

    queue.checks[0].answer(
        job.workload, "Ready", updates=kueue_cluster.pod_updates("labels", pods=job.main_pod_set)
    )

    within("react", lambda: job.workload.has_condition("Finished", "True", "FailedToStart"), clause="a")
    never(job.is_running, clause="b")


@scenario(
    "JIN-025",
    "what the user wrote into the pods of a job stays beside what a check adds",
    requirement=PLACED,
    shows="JI-025",
    since="0.19",
    clauses={"a": "the user's labels are there when it starts", "b": "and those of the check"},
)
def test_labels_of_the_user(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1)
    job = integration.submit_until_reserved(queue, template={"labels": {"example.com/kept": "mine"}})

    queue.checks[0].answer(
        job.workload, "Ready", updates=kueue_cluster.pod_updates("labels", pods=job.main_pod_set)
    )

    within("start", job.is_running)
    always(lambda: job.has_in_template("labels", {"example.com/kept": "mine"}), clause="a")
    always(lambda: job.has_in_template("labels", UPDATED), clause="b")


@scenario(
    "JIN-026",
    "a job whose pods have the very label that a check adds is started: that is no contradiction",
    requirement=PLACED,
    shows="JI-023 JI-025",
    since="0.19",
    clauses={"a": "it runs, with the label"},
)
def test_same_label(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1)
    job = integration.submit_until_reserved(queue, template={"labels": UPDATED})

    queue.checks[0].answer(
        job.workload, "Ready", updates=kueue_cluster.pod_updates("labels", pods=job.main_pod_set)
    )

    within("start", lambda: job.is_running() and job.has_in_template("labels", UPDATED), clause="a")


@scenario(
    "JIN-027",
    "a job whose flavor is missing is started when that is there again",
    level="should",
    requirement=PLACED,
    shows="JI-024",
    since="0.19",
    clauses={"a": "it does not run without", "b": "it runs then, with the node labels of the flavor"},
)
def test_missing_flavor(make_queue, integration, kueue_cluster):
    queue = make_queue(checks=1)
    job, flavor = integration.submit_until_reserved(queue), queue.flavors[0]
    kueue_cluster.force_delete_flavor(flavor)
    queue.checks[0].answer(job.workload, "Ready")
    within("admit", job.workload.is_admitted)
    never(job.is_running, clause="a")

    kueue_cluster.make_flavor_named(flavor)

    within("recover", job.is_running, clause="b")
    always(lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(flavor)), clause="b")
