"""CHK: how a verdict is written: the own entry, through the status subresource, and nothing else
(documentation, "AdmissionCheckStates").
"""

from kueue_conformance import Capability, always, cross, listed, scenario, within

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
    cases=listed("state", ("Ready",), ("Retry",), ("Rejected",)),
    clauses={"a": "the entry has the state", "b": "it has the message"},
)
def test_verdict_is_told(kueue_cluster, make_queue, subject, kueue, state):
    check, message = subject.check(), kueue_cluster.names.message()
    subject.will_answer(state, message=message)

    workload = kueue.prechecks(make_queue([check]))

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: subject.has_told(workload, check, message), clause="b")


@scenario(
    "CHK-021",
    "a word that is no state is not passed on",
    requirement="docs-2024#four-states",
    shows="CC-026 CC-053",
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "the entry stays Pending"},
)
def test_unknown_state_is_not_passed_on(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Approved")

    workload = kueue.prechecks(make_queue([check]))

    within("react", lambda: subject.was_asked_about(workload), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-022",
    "a verdict is written through the status subresource and changes nothing else",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-030 CC-032",
    needs=KUEUE,
    clauses={"a": "the verdict is seen", "b": "the spec is as it was", "c": "the reservation is as it was"},
)
def test_verdict_changes_nothing_else(make_queue, subject, kueue):
    check = subject.check()
    workload = kueue.prechecks(make_queue([check]))
    spec, _ = workload.state()

    subject.will_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.state()[0] == spec, clause="b")
    always(workload.is_prechecked, clause="c")


@scenario(
    "CHK-023",
    "a verdict that another controller gives at the same time is not lost",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-031 CC-038 CC-040 CC-086",
    drivers=("asks",),
    clauses={"a": "the own verdict is given", "b": "the other one is still there"},
)
def test_verdicts_of_others_survive(kueue_cluster, make_queue, subject, kueue):
    own, foreign = subject.check(), kueue_cluster.check()
    workload = kueue.prechecks(make_queue([own, foreign]))

    subject.will_answer_after(lambda: foreign.answers(workload, "Ready"), "Ready", about=workload)

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.has_states("Ready", foreign), clause="b")


@scenario(
    "CHK-024",
    "lastTransitionTime moves with the state, not with the message",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-035",
    drivers=("message",),
    clauses={"a": "the verdict is given", "b": "a new message does not move the time"},
)
def test_time_moves_with_the_state(kueue_cluster, make_queue, clock, subject, kueue):
    check = subject.check()
    subject.will_answer("Ready", message=kueue_cluster.names.message())
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    since = workload.check_entry(check)["lastTransitionTime"]

    clock.ticks()
    subject.will_answer("Ready", message=kueue_cluster.names.message())

    always(lambda: workload.check_entry(check)["lastTransitionTime"] == since, clause="b")


@scenario(
    "CHK-025",
    "Kueue's count of retries survives a verdict",
    requirement="kep-993#controller-flips-own-condition",
    shows="CC-033 AC-345",
    since="0.15",
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    clauses={
        "a": "Retry is given",
        "b": "after the eviction it is counted",
        "c": "the next verdict keeps the count",
    },
)
def test_retry_count_survives(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Retry")
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Retry", check), clause="a")

    subject.will_answer("Pending")
    kueue.evicts_and_releases(workload, reason="AdmissionCheck")
    within("react", lambda: workload.has_retried(check, 1), clause="b")
    kueue.reserves(workload)
    subject.will_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="c")
    always(lambda: workload.has_retried(check, 1), clause="c")


@scenario(
    "CHK-026",
    "a new state has a new time",
    requirement=("kep-993#controller-flips-own-condition", "check-contract#times"),
    shows="CC-035 AC-348",
    needs=KUEUE,
    capabilities=EVERY_STATE,
    cases=listed("state", ("Ready",), ("Retry",), ("Rejected",)),
    clauses={"a": "the entry has the state", "b": "its time is the present"},
)
def test_new_state_has_a_new_time(make_queue, subject, kueue, state):
    check = subject.check()
    subject.will_answer(state)
    workload = make_queue([check]).submit()
    kueue.listed_long_ago(workload, check)

    kueue.reserves(workload)

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: workload.changed_lately(check), clause="b")


@scenario(
    "CHK-027",
    "a verdict against a Workload is explained in a text that a human can read",
    requirement="check-contract#messages",
    shows="CC-036 AC-276",
    level="should",
    needs=KUEUE,
    drivers=("message",),
    capabilities=(Capability.RETRY, Capability.REJECTED),
    cases=cross(state=("Retry", "Rejected"), told=("nothing", "a book")),
    clauses={
        "a": "the entry has the state",
        "b": "its message is neither empty nor longer than 1024 bytes, or 32768 where it is an autoscaler's",
    },
)
def test_bad_news_are_explained(make_queue, subject, kueue, state, told):
    check = subject.check()
    subject.will_tell(state, told)

    workload = kueue.prechecks(make_queue([check]))

    within("react", lambda: workload.has_states(state, check), clause="a")
    within("react", lambda: workload.explains(check, subject.longest_message), clause="b")


@scenario(
    "CHK-028",
    "the message says what is waited for while a check is Pending",
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
    check, first, second = subject.check(), kueue_cluster.names.message(), kueue_cluster.names.message()
    subject.will_answer("Pending", message=first)
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.entry_says(check, first), clause="a")

    subject.will_answer("Pending", message=second)

    within("react", lambda: workload.entry_says(check, second), clause="b")
    always(lambda: workload.has_states("Pending", check), clause="c")


@scenario(
    "CHK-029",
    "a verdict is written although other clients write the Workload again and again",
    requirement="check-contract#no-old-verdict",
    shows="CC-038 CC-086",
    drivers=("asks",),
    clauses={"a": "the verdict is given", "b": "what the others wrote is there"},
)
def test_verdict_gets_through(kueue_cluster, make_queue, subject, kueue):
    own, foreign = subject.check(), kueue_cluster.check()
    workload = kueue.prechecks(make_queue([own, foreign]))

    subject.will_answer_after(lambda: foreign.answers_anew(workload), "Ready", about=workload, times=3)

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: foreign.has_been_heard(workload), clause="b")
