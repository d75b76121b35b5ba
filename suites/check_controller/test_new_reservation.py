"""CHK: a verdict belongs to one reservation:
which ones are decided anew, and which are final (KEP-993, lines 229-254).
"""

from kueue_conformance import Capability, always, rows, scenario, within

KUEUE = ("scripted control plane",)
ATTEMPTS = 4


@scenario(
    "CHK-030",
    "after an eviction and a new reservation the Workload is judged again",
    requirement="kep-993#controller-stops-after-eviction",
    shows="CC-060 CC-050",
    drivers=("ready", "pending"),
    clauses={"a": "the first verdict is given", "b": "with new quota a verdict is given again"},
)
def test_new_reservation_is_judged_anew(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.set_answer("Pending")
    kueue.evict_and_release(workload)
    kueue.reserve(workload)
    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-031",
    "a verdict that was overwritten by an older copy is given again",
    requirement="kep-993#controller-keeps-watching",
    shows="CC-060 AC-372",
    needs=KUEUE,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it is given again"},
)
def test_overwritten_verdict_is_given_again(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    kueue.overwrite_verdict(workload, check)

    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-032",
    "a verdict that was decided before an eviction is dropped",
    requirement="kep-993#controller-stops-after-eviction",
    shows="CC-022 CC-038 CC-085",
    since="0.9",
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "its late answer is dropped"},
)
def test_late_verdict_is_dropped(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))

    subject.set_answer_after(lambda: kueue.evict(workload), "Ready", about=workload)

    within("react", workload.is_evicted, clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-033",
    "Rejected is final",
    requirement="kep-993#retry-or-reject",
    shows="CC-053 CC-056",
    since="0.9",
    revision=2,
    needs=KUEUE,
    capabilities=(Capability.REJECTED,),
    drivers=("ready",),
    clauses={
        "a": "Rejected is given",
        "b": "it stays when the outside system changes its mind, also where an event wakes the controller",
    },
)
def test_rejected_is_final(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Rejected")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Rejected", check), clause="a")

    subject.catch_up()
    subject.set_answer("Ready")
    workload.touch()
    subject.wait_for_polls()

    always(lambda: workload.has_states("Rejected", check), clause="b")


@scenario(
    "CHK-034",
    "a check that fails after the admission is withdrawn",
    requirement="kep-993#controller-keeps-watching",
    shows="CC-051",
    level="should",
    needs=KUEUE,
    capabilities=(Capability.RETRY, Capability.REVOKE),
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it becomes Retry"},
)
def test_failing_check_is_withdrawn(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue.admit(workload)

    subject.set_answer("Retry")

    within("react", lambda: workload.has_states("Retry", check), clause="b")


@scenario(
    "CHK-035",
    "a verdict that was found for an older reservation is not written for a newer one",
    requirement=("kep-993#controller-stops-after-eviction", "check-contract#no-old-verdict"),
    shows="CC-038 CC-050 CC-085 AC-372",
    since="0.9",
    needs=KUEUE,
    drivers=("asks",),
    cases=rows("flavor", ("same flavor",), ("other flavor",)),
    clauses={
        "a": "the outside system is asked",
        "b": "its answer is not given to the new reservation",
        "c": "a fresh one is",
    },
)
def test_old_verdict_is_not_given_to_a_new_reservation(make_queue, subject, kueue, flavor):
    check = subject.make_check()
    queue = make_queue([check], flavors=2)
    workload = kueue.precheck(queue)

    flavor_of_requeue = queue.flavors[flavor == "other flavor"]
    subject.set_answer_after(
        lambda: kueue.requeue(workload, on=flavor_of_requeue), "Ready", about=workload, next_state="Pending"
    )
    within("react", lambda: workload.was_reserved(2), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")
    subject.set_answer("Ready", about=workload)

    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-036",
    "a check may answer Retry more than once",
    requirement=("kep-993#retry-or-reject", "kep-993#controller-stops-after-eviction"),
    shows="CC-052 CC-060",
    since="0.9",
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    clauses={"a": "Retry is given", "b": "with a new reservation it is given again"},
)
def test_retry_is_given_again(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Retry")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Retry", check), clause="a")

    kueue.evict_and_release(workload, reason="AdmissionCheck")
    always(lambda: workload.has_states("Pending", check))
    kueue.reserve(workload)

    within("react", lambda: workload.has_states("Retry", check), clause="b")


@scenario(
    "CHK-037",
    "a rejected Workload is judged again when a user has activated it",
    requirement="kep-993#retry-or-reject",
    shows="CC-053 CC-060",
    since="0.9",
    needs=KUEUE,
    capabilities=(Capability.REJECTED,),
    drivers=("ready",),
    clauses={
        "a": "Rejected is given",
        "b": "a rejected Workload gets no verdict",
        "c": "with new quota a verdict is given again",
    },
)
def test_rejected_workload_is_activated_again(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Rejected")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Rejected", check), clause="a")

    kueue.deactivate(workload)
    subject.set_answer("Ready")
    always(lambda: workload.has_states("Pending", check), clause="b")
    workload.reactivate()
    kueue.reserve(workload)

    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-038",
    "Retry lasts until Kueue has evicted the Workload",
    requirement="kep-993#retry-or-reject",
    shows="CC-052 CC-056",
    since="0.9",
    revision=2,
    needs=KUEUE,
    capabilities=(Capability.RETRY,),
    drivers=("retry", "ready", "pending"),
    cases=rows("next_state", ("Pending",), ("Ready",)),
    clauses={
        "a": "Retry is given",
        "b": "it stays when the outside system answers something else, also where an event wakes the controller",
    },
)
def test_retry_lasts_until_the_eviction(make_queue, subject, kueue, next_state):
    check = subject.make_check()
    subject.set_answer("Retry")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Retry", check), clause="a")

    subject.catch_up()
    subject.set_answer(next_state)
    workload.touch()
    subject.wait_for_polls()

    always(lambda: workload.has_states("Retry", check), clause="b")


@scenario(
    "CHK-039",
    "a recreated Workload of the same name is judged by itself",
    requirement="check-contract#no-old-verdict",
    shows="CC-039 CC-060 CC-070",
    drivers=("ready", "pending"),
    clauses={
        "a": "the first one is answered",
        "b": "the second one is undecided",
        "c": "then it is answered",
    },
)
def test_same_name_is_not_the_same_workload(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    subject.set_answer("Ready")
    workload = kueue.precheck(queue)
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.set_answer("Pending")
    kueue.recreate(workload, queue)
    always(lambda: workload.has_states("Pending", check), clause="b")
    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-045",
    "a verdict on a deleted Workload is not written to a new one of the same name",
    requirement="check-contract#no-old-verdict",
    shows="CC-038 CC-039 CC-085",
    drivers=("asks",),
    clauses={"a": "the outside system is asked", "b": "its answer is not given to the other Workload"},
)
def test_verdict_on_a_workload_that_is_gone(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    workload = kueue.precheck(queue)

    subject.set_answer_after(
        lambda: kueue.recreate(workload, queue), "Ready", about=workload, next_state="Pending"
    )

    within("react", lambda: workload.was_recreated() and workload.lists_any_of(check), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-184",
    "a Workload gets a verdict in every reservation, and none during an eviction",
    requirement=("kep-993#controller-stops-after-eviction", "check-contract#no-old-verdict"),
    shows="CC-022 CC-060",
    since="0.9",
    drivers=("ready",),
    clauses={"a": "the reservation is answered", "b": "no verdict is written during the eviction"},
)
def test_many_reservations(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))

    for _ in range(ATTEMPTS):
        within("react", lambda: workload.has_states("Ready", check), clause="a")
        kueue.evict(workload)
        always(lambda: workload.has_states("Pending", check), clause="b")
        kueue.release(workload)
        kueue.reserve(workload)
