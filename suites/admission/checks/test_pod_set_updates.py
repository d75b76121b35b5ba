"""ADM: what checks may change about the pods of a Job (AC-360…369)."""

from kueue_conformance import always, cross, pairwise, rows, scenario, within

NODE = {"example.com/pool": "fast"}
TOLERATION = {"key": "example.com/dedicated", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}
LOWER = {"withinClusterQueue": "LowerPriority"}
PRIORITY = "kueue.x-k8s.io/priority-class"
OTHER = {"key": "example.com/other", "operator": "Exists", "effect": "NoExecute"}


def update(**fields):
    """Return updates for the one pod set of a Job."""
    return [{"name": "main", **fields}]


def submit_until_reserved(kueue_cluster, checks=1, **template):
    """Submit a Job and wait until its checks can answer."""
    queue = kueue_cluster.make_queue(checks=checks)
    workload = queue.submit("job", template=template)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    return queue, workload, kueue_cluster.job_of(workload)


@scenario(
    "ADM-120",
    "updates of a check are merged into the Job's template when it starts, and taken out when it stops",
    requirement=("docs-2024#pod-set-updates", "kep-993#green-light"),
    shows="SC-120 AC-361 AC-362 AC-367",
    since="0.15",
    revision=2,
    cases=rows("stop", ("deactivated",), ("retried",), ("stopped",))
    .also_drawn(stop="retried")
    .also_beside_namesakes(stop="retried"),
    clauses={
        "a": "the Job starts with the union",
        "b": "an equal toleration is there once",
        "c": "stopped, it is as before",
    },
)
def test_updates_are_injected_and_removed(kueue_cluster, stop):
    own = {"example.com/own": "kept"}
    queue, workload, job = submit_until_reserved(
        kueue_cluster,
        tolerations=[TOLERATION],
        nodeSelector=own,
        metadata={"labels": own, "annotations": own},
    )
    labels, before = kueue_cluster.names.labels(), job.template

    queue.checks[0].answer(
        workload,
        "Ready",
        updates=update(nodeSelector=NODE, labels=labels, annotations=labels, tolerations=[TOLERATION, OTHER]),
    )
    within("admit", job.is_started, clause="a")
    always(lambda: job.has_in_template("nodeSelector", NODE | own), clause="a")
    always(lambda: job.has_in_template("labels", labels | own), clause="a")
    always(lambda: job.has_in_template("annotations", labels | own), clause="a")
    always(lambda: job.has_toleration(TOLERATION, times=1) and job.has_toleration(OTHER, times=1), clause="b")
    {
        "deactivated": workload.deactivate,
        "retried": lambda: queue.checks[0].answer(workload, "Retry"),
        "stopped": queue.hold_and_drain,
    }[stop]()

    within("evict", lambda: job.is_stopped() and job.has_template(before), clause="c")


@scenario(
    "ADM-121",
    "a podSetUpdate that contradicts the Job's template keeps the Job from starting",
    requirement="kep-993#green-light",
    shows="SC-121 SC-122 AC-363 AC-364 AC-365",
    since="0.15",
    revision=2,
    cases=rows("field", ("nodeSelector",), ("labels",), ("annotations",)),
    clauses={
        "a": "the Workload is Finished with FailedToStart",
        "b": "the Job stays suspended with its own value",
        "c": "others get its quota",
    },
)
def test_conflict_with_the_template(kueue_cluster, field):
    own = {"example.com/key": "own"}
    template = {"nodeSelector": own} if field == "nodeSelector" else {"metadata": {field: own}}
    queue, workload, job = submit_until_reserved(kueue_cluster, **template)

    within("settle", lambda: queue.shows_reserved("0").negate())

    queue.checks[0].answer(workload, "Ready", updates=update(**{field: {"example.com/key": "other"}}))

    within("admit", lambda: workload.has_reason("Finished", "FailedToStart"), clause="a")
    always(lambda: job.is_suspended() and job.has_in_template(field, own), clause="b")
    within("settle", lambda: queue.shows_reserved("0"), clause="c")


@scenario(
    "ADM-122",
    "a value that the template has already is no contradiction",
    requirement="kep-993#green-light",
    shows="AC-363",
    since="0.15",
    clauses={"a": "the Job starts"},
)
def test_equal_value_is_fine(kueue_cluster):
    queue, workload, job = submit_until_reserved(kueue_cluster, nodeSelector=NODE)

    queue.checks[0].answer(workload, "Ready", updates=update(nodeSelector=NODE))

    within("admit", job.is_started, clause="a")


@scenario(
    "ADM-123",
    "a preempted Job holds its quota until it is inactive",
    requirement="kep-993#reserved-is-victim",
    shows="SC-123 AC-289 AC-300",
    since="0.19",
    also=("kep993",),
    revision=2,
    cases=cross(checks=(0, 1)),
    needs=("no built-in controllers",),  # a Job controller would count its own pods
    clauses={
        "a": "it is suspended and holds its quota while pods run",
        "b": "no Workload is admitted in its place",
        "c": "the other is admitted when they are gone",
    },
)
def test_preempted_job_holds_quota(kueue_cluster, checks):
    queue = kueue_cluster.make_queue(checks, cpu="1", preemption=LOWER)
    victim = queue.submit_until(
        "admitted", "job", cpu="1", labels={PRIORITY: kueue_cluster.make_priority_class(-10)}
    )
    job = kueue_cluster.job_of(victim)
    job.set_pods(1)

    workload = queue.submit("job", cpu="1", labels={PRIORITY: kueue_cluster.make_priority_class(10)})

    within("evict", lambda: victim.is_evicted() and job.is_suspended(), clause="a")
    if checks:
        queue.checks[0].answer_if_listed(workload, "Ready")
    within("settle", lambda: victim.has_quota_reserved() and queue.shows_used("1"), clause="a")
    always(lambda: victim.has_quota_reserved() and queue.shows_used("1"), clause="a")
    always(lambda: workload.was_ever("Admitted").negate(), clause="b")
    job.set_pods(0)
    within("evict", victim.is_suspended, clause="c")
    if checks:
        within(
            "reserve",
            lambda: workload.has_quota_reserved() and workload.lists_checks(*queue.checks),
            clause="c",
        )
        queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-124",
    "a preempted Job is admitted on another flavor after its check passed again",
    requirement="kep-993#reserved-is-victim",
    shows="SC-124 AC-351 AC-357 Q-155",
    since="0.19",
    also=("kep993",),
    revision=2,
    clauses={
        "a": "it is reserved on the other flavor",
        "b": "it waits for its check",
        "c": "and starts there when it has passed again",
    },
)
def test_preempted_job_moves(kueue_cluster):
    fungible = {"whenCanPreempt": "MayStopSearch"}
    queue = kueue_cluster.make_queue(1, flavors=2, cpu="1", preemption=LOWER, flavorFungibility=fungible)
    first, second = queue.flavors
    victim = queue.submit_until(
        "admitted", "job", cpu="1", labels={PRIORITY: kueue_cluster.make_priority_class(-10)}
    )
    job = kueue_cluster.job_of(victim)
    within("admit", lambda: victim.has_flavor(first) and job.is_started())

    queue.submit_until("prechecked", "job", cpu="1", labels={PRIORITY: kueue_cluster.make_priority_class(10)})

    within("reserve", lambda: victim.is_prechecked() and victim.has_flavor(second), clause="a")
    always(lambda: victim.has_states("Pending") and job.is_suspended(), clause="b")
    queue.admit(victim)
    within("admit", job.is_started, clause="c")
    always(lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(second)), clause="c")


@scenario(
    "ADM-125",
    "two checks may set a key to the same value, and not to different ones",
    requirement="kep-993#every-check-required",
    shows="SC-232 AC-362 AC-365 AC-369 D-27",
    since="0.15",
    level="should",
    cases=cross(field=("nodeSelector", "labels", "annotations"), values=("equal", "different")),
    clauses={"a": "equal values start the Job, different ones end it"},
)
def test_two_checks_one_key(kueue_cluster, field, values):
    queue, workload, job = submit_until_reserved(kueue_cluster, checks=2)
    second = {"equal": "one", "different": "two"}[values]

    queue.checks[0].answer(workload, "Ready", updates=update(**{field: {"example.com/key": "one"}}))
    queue.checks[1].answer(workload, "Ready", updates=update(**{field: {"example.com/key": second}}))

    ends = {"equal": job.is_started, "different": lambda: workload.has_reason("Finished", "FailedToStart")}
    within("admit", ends[values], clause="a")


@scenario(
    "ADM-597",
    "the message about two contradicting pod set updates has the recorded text",
    requirement="kep-993#every-check-required",
    shows="AC-362 AC-364",
    since="0.19",
    level="may",
    cases=cross(field=("nodeSelector", "labels", "annotations")),
    clauses={"a": "the condition Finished has it"},
)
def test_text_of_a_contradiction(kueue_cluster, field):
    queue, workload, job = submit_until_reserved(kueue_cluster, checks=2)
    first, second = sorted(queue.checks, key=lambda check: check.name)

    first.answer(workload, "Ready", updates=update(**{field: {"example.com/key": "one"}}))
    second.answer(workload, "Ready", updates=update(**{field: {"example.com/key": "two"}}))

    expected = (
        f'in admission check "{second.name}": invalid admission check PodSetUpdate: '
        f"conflict for {field}: conflict for key=example.com/key, value1=one, value2=two"
    )
    within("admit", lambda: workload.had_message("Finished", "FailedToStart", expected), clause="a")
    always(job.is_suspended, clause="a")


@scenario(
    "ADM-126",
    "podSetUpdates of several checks are merged",
    requirement="kep-993#every-check-required",
    shows="AC-362",
    since="0.15",
    clauses={"a": "the Job has both"},
)
def test_updates_add_up(kueue_cluster):
    queue, workload, job = submit_until_reserved(kueue_cluster, checks=2)
    first, other = {"example.com/one": "1"}, {"example.com/two": "2"}

    queue.checks[0].answer(workload, "Ready", updates=update(nodeSelector=first))
    queue.checks[1].answer(workload, "Ready", updates=update(nodeSelector=other))

    within("admit", job.is_started)
    within("settle", lambda: job.has_in_template("nodeSelector", first | other), clause="a")


@scenario(
    "ADM-127",
    "podSetUpdates of an earlier attempt do not reach the Job when the check is Ready with an empty list",
    requirement="kep-993#retry-or-reject",
    shows="SC-228 AC-349 AC-368 C-05",
    since="0.19",
    clauses={"a": "started the second time without them"},
)
def test_empty_updates_clear_earlier_ones(kueue_cluster):
    queue, workload, job = submit_until_reserved(kueue_cluster)
    queue.checks[0].answer(workload, "Ready", updates=update(nodeSelector=NODE))
    within("admit", job.is_started)
    queue.checks[0].answer(workload, "Retry")
    within("requeue", lambda: workload.reservation_count() == 2 and workload.has_states("Pending"))

    queue.checks[0].answer(workload, "Ready", updates=[])

    within("admit", job.is_started, clause="a")
    within("settle", lambda: job.has_none_in_template("nodeSelector", *NODE), clause="a")


@scenario(
    "ADM-425",
    "podSetUpdates of a check are applied to the pods whatever the check's state is",
    requirement="docs-2024#pod-set-updates",
    shows="AC-362 AC-368 AC-376",
    since="0.15",
    clauses={"a": "the pods have it"},
)
def test_updates_of_a_pending_entry(kueue_cluster):
    queue, workload, job = submit_until_reserved(kueue_cluster)
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started)
    late = kueue_cluster.make_check()
    queue.set_checks(*queue.checks, late)
    within("settle", lambda: workload.lists_checks(*queue.checks, late))
    late.answer(workload, "Pending", updates=update(annotations=NODE))

    job.suspend()

    within("admit", lambda: job.is_started() and job.has_in_template("annotations", NODE), clause="a")


@scenario(
    "ADM-426",
    "the podSetUpdates of every check reach the pods, wherever the check stands in the list",
    requirement="docs-2024#pod-set-updates",
    shows="AC-360 AC-362",
    since="0.15",
    cases=pairwise(place=(0, 1, 2), field=("nodeSelector", "labels", "annotations")),
    clauses={"a": "the pods have it", "b": "and the flavor's nodes and tolerations as well"},
)
def test_updates_of_each_check(kueue_cluster, place, field):
    flavor = kueue_cluster.make_flavor(tolerations=[TOLERATION])
    queue = kueue_cluster.make_queue(checks=3, flavors=[flavor])
    workload = queue.submit_until("prechecked", "job")
    job, other_checks = (
        kueue_cluster.job_of(workload),
        [check for check in queue.checks if check is not queue.checks[place]],
    )

    queue.checks[place].answer(workload, "Ready", updates=update(**{field: NODE}, tolerations=[OTHER]))
    [check.answer(workload, "Ready") for check in other_checks]

    within(
        "admit",
        lambda: job.is_started() and job.has_in_template(field, NODE) and job.has_toleration(OTHER),
        clause="a",
    )
    always(
        lambda: (
            job.has_in_template("nodeSelector", kueue_cluster.node_selector(flavor))
            and job.has_toleration(TOLERATION)
        ),
        clause="b",
    )


@scenario(
    "ADM-427",
    "checks that request different values of one key keep the Job from starting",
    requirement="docs-2024#pod-set-updates",
    shows="SC-232 AC-362 AC-364 AC-369 D-27",
    since="0.15",
    cases=pairwise(field=("nodeSelector", "labels", "annotations"), checks=("01", "12", "02")),
    clauses={"a": "FailedToStart", "b": "the Job stays suspended as it was", "c": "its quota is free"},
)
def test_checks_that_contradict_each_other(kueue_cluster, field, checks):
    queue, workload, job = submit_until_reserved(kueue_cluster, checks=3)
    before, (first, other) = job.template, checks
    updates = {
        first: update(**{field: {"example.com/key": "one"}}),
        other: update(**{field: {"example.com/key": "other"}}),
    }

    within("settle", lambda: queue.shows_reserved("0").negate())

    [
        check.answer(workload, "Ready", updates=updates.get(str(position)))
        for position, check in enumerate(queue.checks)
    ]

    within("admit", lambda: workload.has_reason("Finished", "FailedToStart"), clause="a")
    always(lambda: job.is_suspended() and job.has_template(before), clause="b")
    within("settle", lambda: queue.shows_reserved("0"), clause="c")


@scenario(
    "ADM-428",
    "pods get Kueue's labels, annotation and node selector when their Job starts, and lose them when it stops",
    requirement="kep-993#green-light",
    shows="AC-361 AC-367",
    since="0.19",
    level="should",
    clauses={
        "a": "labels and an annotation",
        "b": "the flavor's node selector",
        "c": "removed when it is stopped",
    },
)
def test_labels_of_pods(kueue_cluster):
    queue = kueue_cluster.make_queue()
    workload = queue.submit("job")
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    labels = {"local-queue-name": queue.name, "cluster-queue-name": queue.name, "podset": "main"}

    always(
        lambda: job.has_in_template(
            "labels", {f"kueue.x-k8s.io/{key}": label for key, label in labels.items()}
        ),
        clause="a",
    )
    always(lambda: job.has_in_template("annotations", {"kueue.x-k8s.io/workload": workload.name}), clause="a")
    always(
        lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(*queue.flavors)), clause="b"
    )
    queue.hold_and_drain()

    within("evict", job.is_suspended)
    within(
        "settle",
        lambda: job.has_none_in_template("labels", *(f"kueue.x-k8s.io/{key}" for key in labels)),
        clause="c",
    )
    always(
        lambda: job.has_none_in_template("nodeSelector", *kueue_cluster.node_selector(*queue.flavors)),
        clause="c",
    )
    always(lambda: job.has_none_in_template("annotations", "kueue.x-k8s.io/workload"), clause="c")


@scenario(
    "ADM-429",
    "tolerations are the same by key, operator, value and effect",
    requirement="docs-2024#pod-set-updates",
    shows="AC-362",
    since="0.15",
    level="should",
    cases=rows(
        "example change times",
        ("equal", {}, 1),
        ("without-operator", {"operator": None}, 1),
        ("other-key", {"key": "example.com/more"}, 2),
        ("other-value", {"value": "more"}, 2),
        ("other-effect", {"effect": "NoExecute"}, 2),
        ("other-operator", {"operator": "Exists", "value": None}, 2),
    ),
    clauses={"a": "the pods have it once, or both"},
)
def test_equal_tolerations(kueue_cluster, example, change, times):
    queue, workload, job = submit_until_reserved(kueue_cluster, tolerations=[TOLERATION])
    toleration = {name: value for name, value in {**TOLERATION, **change}.items() if value is not None}

    queue.checks[0].answer(workload, "Ready", updates=update(tolerations=[toleration]))

    within("admit", lambda: job.is_started() and job.has_toleration_count(times), clause="a")
