"""ADM: what checks may change about the pods of a Job (AC-360…369)."""

from kueue_conformance import always, cross, listed, scenario, within

NODE = {"example.com/pool": "fast"}
TOLERATION = {"key": "example.com/dedicated", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}


def update(**fields):
    """Return updates for the one pod set of a Job."""
    return [{"name": "main", **fields}]


def reserved_job(kueue_cluster, checks=1, **template):
    """Submit a Job and wait until its checks can answer."""
    queue = kueue_cluster.queue(checks=checks)
    workload = queue.submit("job", template=template)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    return queue, workload, kueue_cluster.job_of(workload)


@scenario(
    "ADM-120", "updates of a check are merged into the Job's template when it starts, and taken out when it stops",
    requirement="kep-993#green-light", shows="SC-120 AC-361 AC-362 AC-367", since="0.15", level="should",
    clauses={"a": "the Job starts with the union", "b": "an equal toleration is there once", "c": "stopped, it is as before"},
)  # fmt: skip
def test_updates_are_injected_and_removed(kueue_cluster):
    queue, workload, job = reserved_job(kueue_cluster, tolerations=[TOLERATION])
    own = kueue_cluster.names.labels()

    queue.checks[0].answers(
        workload, "Ready", updates=update(nodeSelector=NODE, labels=own, tolerations=[TOLERATION])
    )
    within("admit", job.is_started, clause="a")
    within(
        "settle",
        lambda: job.has_in_template("nodeSelector", NODE) and job.has_in_template("labels", own),
        clause="a",
    )
    within("settle", lambda: job.tolerates(TOLERATION, times=1), clause="b")
    workload.deactivate()

    within("evict", lambda: job.is_suspended() and job.lacks_in_template("nodeSelector", *NODE), clause="c")


@scenario(
    "ADM-121", "an update that contradicts the Job's template keeps it from starting",
    requirement="kep-993#green-light", shows="SC-121 SC-122 AC-363 AC-364 AC-365", since="0.15", level="should",
    cases=listed("field", ("nodeSelector",), ("labels",), ("annotations",)),
    clauses={"a": "the Workload is Finished with FailedToStart", "b": "the Job stays suspended with its own value"},
)  # fmt: skip
def test_conflict_with_the_template(kueue_cluster, field):
    own = {"example.com/key": "own"}
    template = {"nodeSelector": own} if field == "nodeSelector" else {"metadata": {field: own}}
    queue, workload, job = reserved_job(kueue_cluster, **template)

    queue.checks[0].answers(workload, "Ready", updates=update(**{field: {"example.com/key": "other"}}))

    within("admit", lambda: workload.has_reason("Finished", "FailedToStart"), clause="a")
    always(lambda: job.is_suspended() and job.has_in_template(field, own), clause="b")


@scenario(
    "ADM-122", "a value that the template has already is no contradiction",
    requirement="kep-993#green-light", shows="AC-363", since="0.15", level="should", clauses={"a": "the Job starts"},
)  # fmt: skip
def test_equal_value_is_fine(kueue_cluster):
    queue, workload, job = reserved_job(kueue_cluster, nodeSelector=NODE)

    queue.checks[0].answers(workload, "Ready", updates=update(nodeSelector=NODE))

    within("admit", job.is_started, clause="a")


@scenario(
    "ADM-123", "a preempted Job holds its quota until it is inactive",
    requirement="kep-993#reserved-is-victim", shows="SC-123", unsupported="preemption",
)  # fmt: skip
def test_preempted_job_holds_quota(make_queue):
    raise AssertionError("listed until preemption exists")


@scenario(
    "ADM-124", "a preempted Job is admitted on another flavor after its check passed again",
    requirement="kep-993#reserved-is-victim", shows="SC-124", unsupported="preemption",
)  # fmt: skip
def test_preempted_job_moves(make_queue):
    raise AssertionError("listed until preemption exists")


@scenario(
    "ADM-125", "two checks may set the same key to the same value, and not to different ones",
    requirement="kep-993#every-check-required", shows="SC-232 AC-362 AC-365 AC-369 D-27", since="0.15", level="should",
    cases=cross(field=("nodeSelector", "labels", "annotations"), values=("equal", "different")),
    clauses={"a": "equal values start the Job, different ones end it"},
)  # fmt: skip
def test_two_checks_one_key(kueue_cluster, field, values):
    queue, workload, job = reserved_job(kueue_cluster, checks=2)
    second = {"equal": "one", "different": "two"}[values]

    queue.checks[0].answers(workload, "Ready", updates=update(**{field: {"example.com/key": "one"}}))
    queue.checks[1].answers(workload, "Ready", updates=update(**{field: {"example.com/key": second}}))

    ends = {"equal": job.is_started, "different": lambda: workload.has_reason("Finished", "FailedToStart")}
    within("admit", ends[values], clause="a")


@scenario(
    "ADM-126", "updates of several checks add up",
    requirement="kep-993#every-check-required", shows="AC-362", since="0.15", level="should", clauses={"a": "the Job has both"},
)  # fmt: skip
def test_updates_add_up(kueue_cluster):
    queue, workload, job = reserved_job(kueue_cluster, checks=2)
    one, other = {"example.com/one": "1"}, {"example.com/two": "2"}

    queue.checks[0].answers(workload, "Ready", updates=update(nodeSelector=one))
    queue.checks[1].answers(workload, "Ready", updates=update(nodeSelector=other))

    within("admit", job.is_started)
    within("settle", lambda: job.has_in_template("nodeSelector", one | other), clause="a")


@scenario(
    "ADM-127", "updates of an earlier attempt do not reach the Job when the check passes with an empty list",
    requirement="kep-993#retry-or-reject", shows="SC-228 AC-349 AC-368 C-05", since="0.19", level="should",
    clauses={"a": "started the second time without them"},
)  # fmt: skip
def test_empty_updates_clear_earlier_ones(kueue_cluster):
    queue, workload, job = reserved_job(kueue_cluster)
    queue.checks[0].answers(workload, "Ready", updates=update(nodeSelector=NODE))
    within("admit", job.is_started)
    queue.checks[0].answers(workload, "Retry")
    within("requeue", lambda: workload.reservations() == 2 and workload.has_states("Pending"))

    queue.checks[0].answers(workload, "Ready", updates=[])

    within("admit", job.is_started, clause="a")
    within("settle", lambda: job.lacks_in_template("nodeSelector", *NODE), clause="a")
