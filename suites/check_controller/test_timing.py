"""CHK: when a check controller may act: with quota reserved,
not at the end and not on the way out (KEP-993, 233, 251-252).
"""

from kueue_conformance import Capability, always, never, rows, scenario, within

KUEUE = ("scripted control plane",)


@scenario(
    "CHK-010",
    "nothing is done for a Workload without quota",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-020 CC-058",
    needs=KUEUE,
    drivers=("asks",),
    clauses={"a": "the entry stays Pending", "b": "no outside work is begun"},
)
def test_nothing_happens_before_reservation(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = make_queue([check]).submit()

    kueue.list_checks(workload, check)

    always(lambda: workload.has_states("Pending", check), clause="a")
    always(lambda: subject.has_asked_nothing(workload), clause="b")


@scenario(
    "CHK-011",
    "a Workload is judged when quota is reserved after its checks are listed",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-028 CC-027 AC-379",
    needs=KUEUE,
    drivers=("ready", "pending"),
    clauses={"a": "the entry is answered"},
)
def test_reservation_after_the_list(make_queue, subject, kueue):
    check = subject.make_check()
    workload = make_queue([check]).submit()
    kueue.list_checks(workload, check)

    kueue.reserve(workload)
    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="a")


@scenario(
    "CHK-012",
    "a Workload is judged when its checks are listed after quota is reserved",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-025 CC-028 AC-379",
    needs=KUEUE,
    drivers=("ready",),
    clauses={"a": "no entry is created", "b": "the entry is answered once it is listed"},
)
def test_list_after_the_reservation(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = make_queue([check]).submit()

    kueue.reserve(workload)
    never(lambda: workload.lists_any_of(check), clause="a")
    kueue.list_checks(workload, check)

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-013",
    "the entries of a Finished Workload stay as they are",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-021",
    drivers=("ready", "rejected"),
    clauses={"a": "the verdict is given", "b": "it stays when the outside system changes its mind"},
)
def test_finished_workload_is_left_alone(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.admit(workload)
    kueue.finish(workload)
    subject.catch_up()
    subject.set_answer("Rejected")
    subject.wait_for_polls()

    always(lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-014",
    "the entries of a Workload that is being evicted stay as Kueue reset them",
    requirement=("kep-993#controller-stops-after-eviction", "kep-993#preemption-clears-checks"),
    shows="CC-022 AC-314",
    since="0.9",
    drivers=("ready",),
    cases=rows("reason", ("Preempted",), ("PodsReadyTimeout",)),
    clauses={"a": "the verdict is given", "b": "after the reset no verdict is given"},
)
def test_evicted_workload_is_left_alone(make_queue, subject, kueue, reason):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.evict(workload, reason)

    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-015",
    "a Workload that lost its quota without an eviction is left alone",
    requirement="kep-993#controller-stops-after-eviction",
    shows="CC-062",
    needs=KUEUE,
    capabilities=(Capability.REJECTED,),
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it stays as it is"},
)
def test_lost_reservation_is_left_alone(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.cancel_reservation(workload)
    subject.catch_up()
    subject.set_answer("Rejected")
    subject.wait_for_polls()

    always(lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-016",
    "a Workload is judged when its AdmissionCheck is seen last",
    requirement=("kep-993#controller-acts-after-precheck", "check-contract#any-order"),
    shows="CC-028",
    needs=KUEUE,
    drivers=("ready",),
    clauses={
        "a": "the entry of an unknown check stays Pending",
        "b": "it is answered once the check is there",
    },
)
def test_check_comes_last(make_queue, subject, kueue):
    check = subject.missing_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    always(lambda: workload.has_states("Pending", check), clause="a")

    own = subject.create_check(check)

    within("react", lambda: workload.has_states("Ready", own), clause="b")


@scenario(
    "CHK-017",
    "a Workload that finished before its verdict gets none",
    requirement="kep-993#controller-acts-after-precheck",
    shows="CC-021",
    drivers=("ready", "pending"),
    cases=rows("well", (True,), (False,)),
    clauses={"a": "the entry stays Pending"},
)
def test_finished_before_the_verdict(make_queue, subject, kueue, well):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    kueue.finish(workload, well=well)

    subject.set_answer("Ready")

    always(lambda: workload.has_states("Pending", check), clause="a")


@scenario(
    "CHK-018",
    "a failure that is noticed during an eviction is not written",
    requirement=("kep-993#controller-stops-after-eviction", "check-contract#no-old-verdict"),
    shows="CC-022 AC-314",
    since="0.9",
    capabilities=(Capability.RETRY, Capability.REJECTED),
    cases=rows("state", ("Retry",), ("Rejected",)),
    drivers=("pending",),
    clauses={"a": "the entry stays Pending"},
)
def test_bad_news_during_eviction(make_queue, subject, kueue, state):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    kueue.evict(workload)

    subject.set_answer(state)

    always(lambda: workload.has_states("Pending", check), clause="a")


@scenario(
    "CHK-019",
    "a Workload that lost its quota before the verdict is judged when it has quota again",
    requirement=("kep-993#controller-acts-after-precheck", "kep-993#controller-stops-after-eviction"),
    shows="CC-020 CC-062",
    drivers=("ready", "pending"),
    clauses={"a": "without quota the entry stays Pending", "b": "with quota it is answered"},
)
def test_quota_is_lost_for_a_while(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    kueue.cancel_reservation(workload)

    subject.set_answer("Ready")
    always(lambda: workload.has_states("Pending", check), clause="a")
    kueue.reserve(workload)

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-042",
    "a Workload that a user has deactivated gets no verdict, until it is active again",
    requirement="check-contract#inactive-workloads",
    shows="CC-024 CC-027 CC-068",
    revision=2,
    needs=KUEUE,
    drivers=("ready", "pending"),
    clauses={"a": "the entry stays Pending", "b": "active again it is answered"},
)
def test_inactive_workload_is_left_alone(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    workload.deactivate()

    subject.set_answer("Ready")
    always(lambda: workload.has_states("Pending", check), clause="a")
    workload.reactivate()

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-043",
    "a Workload that is being deleted gets no verdict",
    requirement="check-contract#given-up-workloads",
    shows="CC-023",
    level="should",
    drivers=("ready", "pending"),
    clauses={"a": "the entry stays Pending"},
)
def test_deleted_workload_is_left_alone(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    workload.add_foreign_finalizer()
    workload.delete()

    subject.set_answer("Ready")

    always(lambda: workload.has_states("Pending", check), clause="a")


@scenario(
    "CHK-044",
    "a check does not evict or deactivate a Workload without quota",
    requirement="check-contract#no-old-verdict",
    shows="CC-058 AC-313",
    level="should",
    needs=KUEUE,
    capabilities=(Capability.RETRY, Capability.REJECTED),
    cases=rows("state", ("Retry",), ("Rejected",)),
    clauses={"a": "the entry stays Pending"},
)
def test_nothing_is_refused_before_reservation(make_queue, subject, kueue, state):
    check = subject.make_check()
    subject.set_answer(state)
    workload = make_queue([check]).submit()

    kueue.list_checks(workload, check)

    always(lambda: workload.has_states("Pending", check), clause="a")


@scenario(
    "CHK-181",
    "a change of a Workload's priority does not change its verdict",
    requirement=("kep-993#controller-acts-after-precheck", "check-contract#given-up-workloads"),
    shows="CC-068",
    level="should",
    drivers=("ready", "pending"),
    clauses={
        "a": "a Workload with another priority is answered",
        "b": "with yet another one its verdict is as it was",
    },
)
def test_priority_changes(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", check.is_active)
    subject.catch_up()
    workload.set_priority(1)

    subject.set_answer("Ready")
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    workload.set_priority(2)

    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="b")
