"""CHK: what a verdict may change of pods, and how long Kueue
shall wait (Kueue's API: podSetUpdates, requeueAfterSeconds).
"""

from kueue_conformance import Capability, always, never, rows, scenario, within

KUEUE = ("scripted control plane",)
POD_SETS = ("pod sets",)
UPDATES = (Capability.READY, Capability.POD_SET_UPDATES)
DELAY = (Capability.RETRY, Capability.RETRY_DELAY)
LEGAL = "check-contract#changes-of-pods"
SECTIONS = rows("section", ("labels",), ("annotations",), ("nodeSelector",), ("tolerations",))
MAPS = rows("section", ("labels",), ("annotations",), ("nodeSelector",))


@scenario(
    "CHK-074",
    "podSetUpdates are written together with the state Ready",
    requirement=LEGAL,
    shows="CC-037 AC-125 AC-126",
    capabilities=UPDATES,
    drivers=("ready", "podSetUpdates"),
    cases=SECTIONS,
    clauses={"a": "the entry is Ready", "b": "it has the changes", "c": "it was never Ready without them"},
)
def test_updates_come_with_ready(kueue_cluster, make_queue, subject, kueue, section):
    check, updates = subject.make_check(), kueue_cluster.pod_updates(section)
    subject.set_answer("Ready", podSetUpdates=updates)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.has_updates(check, updates), clause="b")
    never(lambda: workload.was_ready_without_updates(check, updates), clause="c")


@scenario(
    "CHK-075",
    "podSetUpdates stay the same while the check is Ready",
    requirement=(LEGAL, "kueue-api#said-with-ready"),
    shows="CC-037 AC-127",
    capabilities=UPDATES,
    drivers=("ready", "podSetUpdates"),
    clauses={"a": "the entry has the changes", "b": "it keeps them when others are wanted"},
)
def test_updates_stay_while_ready(kueue_cluster, make_queue, subject, kueue):
    check, updates = subject.make_check(), kueue_cluster.pod_updates()
    subject.set_answer("Ready", podSetUpdates=updates)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_updates(check, updates), clause="a")

    subject.set_answer("Ready", podSetUpdates=kueue_cluster.pod_updates(value="newer"))

    always(lambda: workload.has_updates(check, updates), clause="b")


@scenario(
    "CHK-076",
    "a new reservation gets its podSetUpdates again, complete",
    requirement=(LEGAL, "kep-993#controller-stops-after-eviction"),
    shows="CC-037 CC-060 AC-368",
    since="0.9",
    capabilities=UPDATES,
    drivers=("asks",),
    clauses={"a": "the first podSetUpdates are written", "b": "then the new ones, and none of the first"},
)
def test_updates_are_told_anew(kueue_cluster, make_queue, subject, kueue):
    check, first = subject.make_check(), kueue_cluster.pod_updates("labels")
    second = kueue_cluster.pod_updates("nodeSelector")
    subject.set_answer("Ready", podSetUpdates=first)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_updates(check, first), clause="a")

    subject.set_answer("Ready", podSetUpdates=second)
    kueue.requeue(workload)

    within("react", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.has_updates(check, second), clause="b")


@scenario(
    "CHK-077",
    "a new verdict without podSetUpdates leaves none of the former one",
    requirement=(LEGAL, "kep-993#controller-stops-after-eviction"),
    shows="CC-037 CC-060 AC-340 AC-349",
    since="0.9",
    capabilities=UPDATES,
    drivers=("asks",),
    clauses={"a": "the podSetUpdates are written", "b": "the new verdict is given", "c": "it has none"},
)
def test_updates_are_cleared(kueue_cluster, make_queue, subject, kueue):
    check, updates = subject.make_check(), kueue_cluster.pod_updates()
    subject.set_answer("Ready", podSetUpdates=updates)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_updates(check, updates), clause="a")

    subject.set_answer("Ready")
    kueue.requeue(workload)

    within("react", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.has_updates(check, []), clause="c")


@scenario(
    "CHK-078",
    "podSetUpdates for pod sets that the Workload does not have are not written",
    requirement=LEGAL,
    shows="CC-037 AC-124",
    capabilities=UPDATES,
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "no such podSetUpdate is written"},
)
def test_updates_of_unknown_pods(kueue_cluster, make_queue, subject, kueue):
    check, updates = subject.make_check(), kueue_cluster.pod_updates(pods="no-such-pods")
    subject.set_answer("Ready", podSetUpdates=updates)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: subject.has_asked_about(workload), clause="a")
    never(lambda: workload.has_updates(check, updates), clause="b")


@scenario(
    "CHK-079",
    "podSetUpdates that contradict the template are not written",
    requirement=LEGAL,
    shows="CC-037 AC-363 AC-364",
    capabilities=UPDATES,
    drivers=("asks",),
    cases=MAPS,
    clauses={"a": "the outside system is asked", "b": "no such podSetUpdate is written"},
)
def test_updates_against_the_template(kueue_cluster, make_queue, subject, kueue, section):
    check, updates = subject.make_check(), kueue_cluster.pod_updates(section)
    subject.set_answer("Ready", podSetUpdates=updates)

    workload = kueue.precheck(make_queue([check]), template=kueue_cluster.template_with(section))

    within("react", lambda: subject.has_asked_about(workload), clause="a")
    never(lambda: workload.has_updates(check, updates), clause="b")


@scenario(
    "CHK-080",
    "a delay is written with Retry",
    requirement=("check-contract#delays", "kep-993#retry-delay"),
    shows="CC-034 CC-052 AC-121",
    since="0.15",
    needs=KUEUE,
    capabilities=DELAY,
    drivers=("retry", "requeueAfterSeconds"),
    cases=rows("seconds", (1,), (90,), (100_000,)),
    revision=2,
    clauses={"a": "the entry is Retry", "b": "it has the delay"},
)
def test_delay_comes_with_retry(make_queue, subject, kueue, seconds):
    check = subject.make_check()
    subject.set_retry_answer(seconds)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Retry", check), clause="a")
    always(lambda: workload.has_delay(check, seconds), clause="b")


@scenario(
    "CHK-081",
    "a delay does not outlast its Retry",
    requirement="check-contract#delays",
    shows="CC-034",
    level="may",
    since="0.15",
    capabilities=DELAY,
    drivers=("asks",),
    clauses={"a": "the delay is written", "b": "the next verdict is given", "c": "it has none"},
)
def test_delay_ends_with_retry(make_queue, subject, kueue):
    check = subject.make_check()
    # Short, since a Kueue at work lets it pass before it tries again.
    subject.set_retry_answer(5)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_delay(check, 5), clause="a")

    subject.set_answer("Ready")
    kueue.requeue(workload)

    within("react", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.has_delay(check, None), clause="c")


@scenario(
    "CHK-082",
    "a negative delay is not written",
    requirement="check-contract#delays",
    shows="CC-034 AC-121",
    since="0.15",
    capabilities=DELAY,
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "no such delay is written"},
)
def test_delay_below_zero(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_retry_answer(-60)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: subject.has_asked_about(workload), clause="a")
    never(lambda: workload.has_delay(check, -60), clause="b")


@scenario(
    "CHK-096",
    "podSetUpdates of all pod sets of a Workload are written together",
    requirement=LEGAL,
    shows="CC-037 AC-123",
    needs=POD_SETS,
    capabilities=UPDATES,
    drivers=("ready", "podSetUpdates"),
    clauses={"a": "the entry is Ready", "b": "it has the changes of every podSet"},
)
def test_updates_of_several_pod_sets(kueue_cluster, make_queue, subject, kueue):
    check = subject.make_check()
    updates = kueue_cluster.pod_updates("labels", pods="driver")
    updates += kueue_cluster.pod_updates("nodeSelector", pods="worker")
    subject.set_answer("Ready", podSetUpdates=updates)

    workload = kueue.precheck(make_queue([check]), podSets=kueue_cluster.pod_sets("driver", "worker"))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.has_updates(check, updates), clause="b")


@scenario(
    "CHK-198",
    "all changes of a pod set are written as one podSetUpdate",
    requirement=LEGAL,
    shows="KV-36 CC-037",
    level="may",
    capabilities=UPDATES,
    drivers=("ready", "podSetUpdates"),
    clauses={"a": "the entry is Ready", "b": "it has one podSetUpdate, with labels and nodeSelector"},
)
def test_one_update_of_a_pod_set(kueue_cluster, make_queue, subject, kueue):
    check = subject.make_check()
    (labels,), (selector,) = kueue_cluster.pod_updates("labels"), kueue_cluster.pod_updates("nodeSelector")
    updates = [{**labels, **selector}]
    subject.set_answer("Ready", podSetUpdates=updates)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.has_updates(check, updates), clause="b")


@scenario(
    "CHK-097",
    "podSetUpdates are written with the state Ready alone",
    requirement=LEGAL,
    shows="CC-037 CC-052",
    capabilities=(*UPDATES, Capability.RETRY),
    drivers=("asks",),
    clauses={"a": "the entry is Retry", "b": "it has no changes of pods"},
)
def test_no_updates_with_retry(kueue_cluster, make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Retry", podSetUpdates=kueue_cluster.pod_updates())

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.had_verdict(check, "Retry"), clause="a")
    never(lambda: workload.had_updates_with(check, "Retry"), clause="b")
