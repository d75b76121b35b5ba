"""CHK: how a verdict is written: the own entry, through the status subresource, and nothing else
(documentation, "AdmissionCheckStates").
"""

from kueue_conformance import Capability, always, cross, rows, scenario, within

KUEUE = ("scripted control plane",)
EVERY_STATE = (Capability.READY, Capability.RETRY, Capability.REJECTED)


@scenario(
    "CHK-020",
    "each verdict is written to the entry with its message",
    requirement=("docs-2024#four-states", "kep-993#controller-flips-own-condition"),
    shows="CC-026 CC-027 CC-036 CC-052",
    needs=KUEUE,
    drivers=("message",),
    capabilities=EVERY_STATE,
    cases=rows("state", ("Ready",), ("Retry",), ("Rejected",)).also_drawn(),
    clauses={"a": "the entry has the state", "b": "it has the message"},
)
def test_verdict_is_told(kueue_cluster, make_queue, subject, kueue, state):
    check, message = subject.make_check(), kueue_cluster.names.message()
    subject.set_answer(state, message=message)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: subject.has_shown_message(workload, check, message), clause="b")


@scenario(
    "CHK-021",
    "a value that is not a state of a check is not written",
    requirement="docs-2024#four-states",
    shows="CC-026 CC-053",
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "the entry stays Pending"},
)
def test_unknown_state_is_not_passed_on(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Approved")

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: subject.has_asked_about(workload), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-022",
    "a verdict is written through the status subresource and changes nothing else",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-030 CC-032",
    needs=KUEUE,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is seen", "b": "the spec is as it was", "c": "the reservation is as it was"},
)
def test_verdict_changes_nothing_else(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    spec, _ = workload.state()

    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.state()[0] == spec, clause="b")
    always(workload.is_prechecked, clause="c")


@scenario(
    "CHK-023",
    "a verdict that another controller writes at the same time is not lost",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-031 CC-038 CC-040 CC-086",
    drivers=("asks",),
    clauses={"a": "the own verdict is given", "b": "the other one is still there"},
)
def test_verdicts_of_others_survive(kueue_cluster, make_queue, subject, kueue):
    own, foreign = subject.make_check(), kueue_cluster.make_check()
    workload = kueue.precheck(make_queue([own, foreign]))

    subject.set_answer_after(lambda: foreign.answer(workload, "Ready"), "Ready", about=workload)

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.has_states("Ready", foreign), clause="b")


@scenario(
    "CHK-024",
    "lastTransitionTime moves with the state, not with the message",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-035",
    drivers=("ready", "message"),
    clauses={"a": "the verdict is given", "b": "a new message does not move the time"},
    cases=cross().also_drawn(),
)
def test_time_moves_with_the_state(kueue_cluster, make_queue, clock, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready", message=kueue_cluster.names.message())
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    since = workload.entry_of(check)["lastTransitionTime"]

    clock.tick()
    subject.set_answer("Ready", message=kueue_cluster.names.message())

    always(lambda: workload.entry_of(check)["lastTransitionTime"] == since, clause="b")


@scenario(
    "CHK-025",
    "Kueue's count of retries survives a verdict",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-033 AC-345",
    since="0.15",
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    drivers=("ready", "pending"),
    clauses={
        "a": "Retry is given",
        "b": "after the eviction it is counted",
        "c": "the next verdict keeps the count",
    },
)
def test_retry_count_survives(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Retry")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Retry", check), clause="a")

    subject.set_answer("Pending")
    kueue.evict_and_release(workload, reason="AdmissionCheck")
    within("react", lambda: workload.has_retried(check, 1), clause="b")
    kueue.reserve(workload)
    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="c")
    always(lambda: workload.has_retried(check, 1), clause="c")


@scenario(
    "CHK-026",
    "a new state has a new time",
    requirement=("kep-993#controller-flips-own-condition", "check-contract#times"),
    shows="CC-035 AC-348",
    needs=KUEUE,
    capabilities=EVERY_STATE,
    drivers=("pending",),
    cases=rows("state", ("Ready",), ("Retry",), ("Rejected",)),
    clauses={"a": "the entry has the state", "b": "its time is the present"},
)
def test_new_state_has_a_new_time(make_queue, subject, kueue, state):
    check = subject.make_check()
    subject.set_answer(state)
    workload = make_queue([check]).submit()
    kueue.list_checks_long_ago(workload, check)

    kueue.reserve(workload)

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: workload.has_recent_entry(check), clause="b")


@scenario(
    "CHK-027",
    "a verdict against a Workload is explained in a text that a human can read",
    requirement="check-contract#messages",
    shows="CC-036 AC-276",
    level="should",
    needs=KUEUE,
    drivers=("message",),
    capabilities=(Capability.RETRY, Capability.REJECTED),
    cases=cross(state=("Retry", "Rejected"), explanation=("nothing", "a book")),
    clauses={
        "a": "the entry has the state",
        "b": "its message has 1 to 1024 bytes, or 1 to 32768 where it is an autoscaler's",
    },
)
def test_bad_news_are_explained(make_queue, subject, kueue, state, explanation):
    check = subject.make_check()
    subject.set_answer_with_text(state, explanation)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: workload.has_readable_message(check, subject.max_message_bytes), clause="b")


@scenario(
    "CHK-190",
    "a verdict is written however long its explanation is, and in whatever letters",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-027 AC-120",
    needs=KUEUE,
    drivers=("message", "ready"),
    cases=rows("explanation", ("more than an entry holds",), ("letters of three bytes",), ("emoji",)),
    clauses={"a": "the entry has the state"},
)
def test_explanation_is_no_obstacle(make_queue, subject, kueue, explanation):
    check = subject.make_check()
    subject.set_answer_with_text("Ready", explanation)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")


@scenario(
    "CHK-028",
    "the message of a Pending check says what it waits for",
    requirement="check-contract#messages",
    shows="CC-027 CC-055 AC-286",
    level="should",
    drivers=("asks",),
    clauses={
        "a": "the message is passed on",
        "b": "so is the next one",
        "c": "the check is undecided all the time",
    },
)
def test_progress_is_told(kueue_cluster, make_queue, subject, kueue):
    check, first, second = subject.make_check(), kueue_cluster.names.message(), kueue_cluster.names.message()
    subject.set_answer("Pending", message=first)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_entry_message(check, first), clause="a")

    subject.set_answer("Pending", message=second)

    within("react", lambda: workload.has_entry_message(check, second), clause="b")
    always(lambda: workload.has_states("Pending", check), clause="c")


@scenario(
    "CHK-029",
    "a verdict is written although other clients write the Workload again and again",
    requirement="check-contract#no-old-verdict",
    shows="CC-038 CC-086",
    drivers=("asks",),
    clauses={"a": "the verdict is given", "b": "the writes of the others are there"},
)
def test_verdict_gets_through(kueue_cluster, make_queue, subject, kueue):
    own, foreign = subject.make_check(), kueue_cluster.make_check()
    workload = kueue.precheck(make_queue([own, foreign]))

    subject.set_answer_after(lambda: foreign.answer_again(workload), "Ready", about=workload, times=3)

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: foreign.has_stored_verdict(workload), clause="b")
