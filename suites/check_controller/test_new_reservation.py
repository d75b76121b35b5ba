"""CHK: a verdict belongs to one reservation: what is decided anew, and what is final (KEP-993, lines 229-254)."""

from kueue_conformance import Capability, always, scenario, within

KUEUE = ("scripted control plane",)


@scenario(
    "CHK-030", "after an eviction and a new reservation the Workload is judged anew",
    requirement="kep-993#controller-stops-after-eviction", shows="CC-060 CC-050", needs=KUEUE,
    clauses={"a": "the first verdict is given", "b": "with new quota a verdict is given again"},
)  # fmt: skip
def test_new_reservation_is_judged_anew(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Ready")
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.will_answer("Pending")
    kueue.evicts_and_releases(workload)
    kueue.reserves(workload)
    subject.will_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-031", "a verdict that was overwritten by an older copy is given again",
    requirement="kep-993#controller-keeps-watching", shows="CC-060 AC-372", needs=KUEUE,
    clauses={"a": "the verdict is given", "b": "it is given again"},
)  # fmt: skip
def test_overwritten_verdict_is_given_again(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Ready")
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.overwrites(workload, check)

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-032", "a verdict that was decided before an eviction is dropped",
    requirement="kep-993#controller-stops-after-eviction", shows="CC-022 CC-038 CC-085", since="0.9", needs=KUEUE,
    clauses={"a": "the outside system is asked", "b": "its answer comes too late and is dropped"},
)  # fmt: skip
def test_late_verdict_is_dropped(make_queue, subject, kueue):
    check = subject.check()
    workload = kueue.prechecks(make_queue([check]))

    subject.will_answer_after(lambda: kueue.evicts(workload), "Ready", about=workload)

    within("react", workload.is_evicted, clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-033", "Rejected is final",
    requirement="kep-993#retry-or-reject", shows="CC-053 CC-056", since="0.9", needs=KUEUE, capabilities=(Capability.REJECTED,),
    clauses={"a": "Rejected is given", "b": "it stays when the outside system changes its mind"},
)  # fmt: skip
def test_rejected_is_final(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Rejected")
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Rejected", check), clause="a")

    subject.catches_up()
    subject.will_answer("Ready")

    always(lambda: workload.has_states("Rejected", check), clause="b")


@scenario(
    "CHK-034", "a check that fails after the admission is withdrawn",
    requirement="kep-993#controller-keeps-watching", shows="CC-051", level="should", needs=KUEUE,
    capabilities=(Capability.RETRY, Capability.REVOKE), clauses={"a": "the verdict is given", "b": "it becomes Retry"},
)  # fmt: skip
def test_failing_check_is_withdrawn(make_queue, subject, kueue):
    check = subject.check()
    subject.will_answer("Ready")
    workload = kueue.prechecks(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue.admits(workload)

    subject.will_answer("Retry")

    within("react", lambda: workload.has_states("Retry", check), clause="b")
