"""CHK: verdicts follow the answers of the outside system,
and wait while it is silent (KEP-993, 44-47, 240-254).
"""

from kueue_conformance import Capability, always, rows, scenario, within

KUEUE = ("scripted control plane",)


@scenario(
    "CHK-192",
    "a decision that comes while nothing in the cluster changes is written",
    requirement=("kep-993#controller-acts-after-precheck", "kep-993#controller-flips-own-condition"),
    shows="CC-027",
    drivers=("ready", "pending"),
    clauses={"a": "the Workload waits while everything is at rest", "b": "the decision is written"},
)
def test_decision_comes_late(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    always(lambda: workload.has_states("Pending", check), clause="a")

    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-057",
    "an error of the outside system is not a verdict",
    requirement=("kep-993#retry-or-reject", "check-contract#trouble-is-no-verdict"),
    shows="CC-053 CC-076",
    revision=2,
    drivers=("ready", "trouble"),
    cases=rows("trouble", ("an error",), ("nonsense",)),
    survival="d",
    clauses={
        "a": "the outside system is asked",
        "b": "the entry stays Pending",
        "c": "after the error it is answered",
        "d": "the controller does not end",
    },
)
def test_trouble_is_no_verdict(make_queue, subject, kueue, trouble):
    check = subject.make_check()
    subject.set_trouble(trouble)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.has_met_trouble(workload), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")

    subject.set_answer("Ready")

    within("recover", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-058",
    "an admitted Workload is Rejected when its check fails for good",
    requirement="kep-993#controller-keeps-watching",
    shows="CC-051",
    level="should",
    needs=KUEUE,
    capabilities=(Capability.REJECTED, Capability.REVOKE),
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it becomes Rejected"},
)
def test_hopeless_workload_is_given_up(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue.admit(workload)

    subject.set_answer("Rejected")

    within("react", lambda: workload.has_states("Rejected", check), clause="b")


@scenario(
    "CHK-059",
    "a good verdict is withdrawn while other checks are undecided",
    requirement=("kep-993#controller-keeps-watching", "kep-993#best-effort-decisions"),
    shows="CC-051",
    level="should",
    needs=KUEUE,
    capabilities=(Capability.RETRY, Capability.REVOKE),
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it becomes Retry"},
)
def test_verdict_is_withdrawn_before_admission(kueue_cluster, make_queue, subject, kueue):
    check, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check, other]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.set_answer("Retry")

    within("react", lambda: workload.has_states("Retry", check), clause="b")


@scenario(
    "CHK-060",
    "an admitted Workload keeps its good verdict as long as it holds",
    requirement=("kep-993#controller-keeps-watching", "kep-993#green-light"),
    shows="CC-050 CC-054 AC-311",
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "admission does not change it"},
)
def test_good_verdict_survives_the_admission(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.admit(workload)
    workload.touch()

    always(lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-095",
    "an admitted Workload is not put back to Pending",
    requirement=("kep-993#retry-or-reject", "kep-993#controller-keeps-watching"),
    shows="CC-054 AC-311",
    level="may",
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is given", "b": "it is never Pending again: that would not stop it"},
)
def test_pending_does_not_stop(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue.admit(workload)

    subject.set_answer("Pending")

    always(lambda: workload.has_states("Ready", check), clause="b")
