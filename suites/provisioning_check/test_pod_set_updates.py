"""PRC: what a provided request changes of the pods (PA-085…PA-093, PC-10, PC-11, PC-15)."""

from kueue_conformance import always, cross, either, rows, scenario, within

ZONE = "example.com/zone"
LABELS = {ZONE: "zone", "example.com/rack": "rack"}
LONGEST = 63


@scenario(
    "PRC-090",
    "pods of each requested pod set are annotated with the request that they consume",
    requirement=("provisioning-check#pod-set-updates", "aep#pods-are-annotated"),
    shows="PA-085 PA-086 TB-27",
    since="0.19",
    clauses={"a": "by name and class, for each of them"},
)
def test_consumers(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    pod_sets = [kueue_cluster.pod_set("driver", cpu="1"), kueue_cluster.pod_set("workers", 2, cpu="2")]
    workload = provisioning.submit_until_requested(queue, podSets=pod_sets)
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    within("react", lambda: workload.has_pods_consuming(request, "driver", "workers"), clause="a")


@scenario(
    "PRC-091",
    "pods that were not requested are left as they are",
    requirement="provisioning-check#pod-set-updates",
    shows="PA-089 RG-K18",
    since="0.19",
    clauses={"a": "only the others are changed", "b": "it is admitted"},
)
def test_pods_that_were_not_requested(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(manages=("cpu",))
    workload = provisioning.submit_until_requested(
        queue, podSets=[kueue_cluster.pod_set("driver"), kueue_cluster.pod_set("workers", 2, cpu="1")]
    )
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    within("react", lambda: workload.has_pods_consuming(request, "workers"), clause="a")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-092",
    "details of the class become labels of the nodes on which the pods may run",
    requirement="provisioning-check#class-details",
    shows="PA-087 TB-45 TB-46",
    since="0.19",
    cases=rows(
        "details selected",
        ("zone-rack", "zone-rack"),
        ("zone", "zone"),
        ("zone-other", "zone"),
        ("other", ""),
    ),
    clauses={
        "a": "the details that the configuration names and the request has",
        "b": "it is admitted, though one is missing",
    },
)
def test_details(provisioning, autoscaler, details, selected):
    queue = provisioning.make_queue(node_labels=LABELS)
    workload = provisioning.submit_until_requested(queue)

    autoscaler.provision(
        workload.request(queue.checks[0]), details={word: f"the-{word}" for word in details.split("-")}
    )

    expected = {label: f"the-{detail}" for label, detail in LABELS.items() if detail in selected.split("-")}
    within("react", lambda: workload.has_node_selector(queue.checks[0], expected), clause="a")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-093",
    "a Job runs on the nodes that were provided for it",
    requirement="provisioning-check#class-details",
    shows="PA-087 PA-092 TB-45",
    since="0.19",
    clauses={"a": "the label is in its template"},
)
def test_nodes_of_a_job(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(node_labels=LABELS)
    workload = provisioning.submit_until_requested(queue, "job")

    autoscaler.provision(workload.request(queue.checks[0]), details={"zone": "north"})

    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started)
    within("settle", lambda: job.has_in_template("nodeSelector", {ZONE: "north"}), clause="a")


@scenario(
    "PRC-094",
    "podSetUpdates stay as they were when the check became Ready, whatever the details become",
    requirement="provisioning-check#pod-set-updates",
    shows="PA-091",
    level="may",
    since="0.19",
    clauses={"a": "the first detail stays"},
)
def test_details_change(provisioning, autoscaler):
    queue = provisioning.make_queue(node_labels={ZONE: "zone"})
    workload = provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(queue.checks[0]), details={"zone": "north"})
    within("admit", workload.is_admitted)

    autoscaler.set_details(workload.request(queue.checks[0]), {"zone": "south"})

    always(lambda: workload.has_node_selector(queue.checks[0], {ZONE: "north"}), clause="a")


@scenario(
    "PRC-095",
    "a detail that is not a valid label holds the Workload back until it is valid, or is left out",
    requirement=("provisioning-check#odd-input", "provisioning-check#quirks"),
    shows="PA-090 PC-11 RG-K38",
    since="0.19",
    needs=("webhooks",),
    cases=rows("wrong", ("n" * (LONGEST + 1),), ("north/west",)),
    clauses={
        "a": "either of them",
        "b": "it is admitted, at the latest with the longest detail that can be a label",
    },
)
def test_details_that_are_no_labels(provisioning, autoscaler, clock, wrong):
    queue = provisioning.make_queue(node_labels={ZONE: "zone"})
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(check), details={"zone": wrong})
    clock.advance_budget("react")

    either(
        "react",
        {
            "held back": lambda: workload.is_prechecked() and workload.has_states("Pending"),
            "left out": lambda: workload.has_states("Ready") and workload.has_node_selector(check, {}),
        },
        clause="a",
    )
    autoscaler.set_details(workload.request(check), {"zone": "n" * LONGEST})
    within("recover", workload.is_admitted, clause="b")


@scenario(
    "PRC-096",
    "podSetUpdates of this check and of another one are both applied",
    requirement=("provisioning-check#pod-set-updates", "docs-2024#all-positive"),
    shows="PA-092 SC-144",
    since="0.9",
    cases=cross(last=("ours", "other")),
    clauses={"a": "the Job starts with both"},
)
def test_updates_of_two_checks(kueue_cluster, provisioning, autoscaler, last):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    workload = provisioning.submit_until_requested(queue, "job")
    request = workload.request(queue.checks[0])
    expected = workload.annotations_for(request)

    turns = [
        lambda: autoscaler.provision(request),
        lambda: other.answer(workload, "Ready", updates=kueue_cluster.pod_updates()),
    ]
    [turn() for turn in (turns if last == "other" else turns[::-1])]

    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started, clause="a")
    within("settle", lambda: job.has_in_template("annotations", expected), clause="a")
    within("settle", lambda: job.has_in_template("labels", {"example.com/team": "ours"}), clause="a")


@scenario(
    "PRC-097",
    "a Job whose node selector contradicts the provisioned nodes fails to start, and has an event about it",
    requirement=("provisioning-check#class-details", "provisioning-check#odd-input"),
    shows="PA-092 PC-10",
    since="0.19",
    clauses={"a": "it is finished", "b": "its event names the contradiction", "c": "its request is deleted"},
)
def test_contradiction(provisioning, autoscaler):
    queue = provisioning.make_queue(node_labels={ZONE: "zone"})
    workload = provisioning.submit_until_requested(queue, "job", template={"nodeSelector": {ZONE: "south"}})

    autoscaler.provision(workload.request(queue.checks[0]), details={"zone": "north"})

    within("settle", workload.is_finished, clause="a")
    within(
        "settle", lambda: workload.has_message_containing("Finished", "conflict for nodeSelector"), clause="b"
    )
    within("settle", workload.has_no_request, clause="c")


@scenario(
    "PRC-098",
    "a check that is Pending again has no podSetUpdates, or those of the last time",
    requirement="provisioning-check#quirks",
    shows="PA-113 RG-K43 PC-15",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "new ones when it is Ready"},
)
def test_updates_of_the_last_time(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(kueue_cluster.make_check())
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    autoscaler.provision(request)
    within("react", lambda: workload.has_states("Ready", check))

    autoscaler.report_shortage(request, "not quite")

    within("react", lambda: workload.has_states("Pending", check))
    either(
        "react",
        {
            "none": lambda: workload.has_no_updates(check),
            "the old ones": lambda: workload.has_pods_consuming(request, "main"),
        },
        clause="a",
    )
    autoscaler.provision(request)
    within(
        "react",
        lambda: workload.has_states("Ready", check) and workload.has_pods_consuming(request, "main"),
        clause="b",
    )
