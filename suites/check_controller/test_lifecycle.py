"""CHK: Workloads and AdmissionChecks go, and nothing that a check controller does is in their way (KEP-993,
233; Kueue's finalizers).
"""

from kueue_conformance import always, rows, scenario, within

KUEUE = ("scripted control plane",)
NAMES = ("check names",)


@scenario(
    "CHK-083",
    "a deleted Workload is removed at once",
    requirement="check-contract#nothing-in-the-way",
    shows="CC-064",
    drivers=("ready",),
    cases=rows("verdict", ("Pending",), ("Ready",)),
    clauses={"a": "the entry is as it was decided", "b": "the Workload is removed"},
)
def test_deleted_workload_goes(make_queue, subject, kueue, verdict):
    check = subject.make_check()
    subject.set_answer(verdict)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states(verdict, check), clause="a")

    workload.delete()

    within("cleanup", workload.is_gone, clause="b")


@scenario(
    "CHK-084",
    "a deleted check that is in use stays until Kueue removes its finalizer",
    requirement=("check-contract#checks-come-and-go", "check-contract#nothing-in-the-way"),
    shows="CC-013 CC-066 AC-401",
    needs=KUEUE,
    clauses={
        "a": "the check is Active",
        "b": "it stays as long as its finalizer is there",
        "c": "then it is removed",
    },
)
def test_deleted_check_goes(subject, kueue):
    check = subject.make_check()
    kueue.add_finalizer(check)
    within("react", check.is_active, clause="a")

    check.delete()
    always(check.has_finalizer, clause="b")
    kueue.remove_finalizer(check)

    within("cleanup", check.is_gone, clause="c")


@scenario(
    "CHK-085",
    "the deletion of a check is not a verdict",
    requirement="check-contract#checks-come-and-go",
    shows="CC-066 CC-082",
    needs=NAMES,
    drivers=("ready",),
    cases=rows("verdict", ("Pending",), ("Ready",)),
    clauses={
        "a": "the entry is as it was decided",
        "b": "no verdict against the Workload is written",
        "c": "another check is served",
    },
)
def test_deletion_of_a_check_is_no_verdict(make_queue, subject, kueue, verdict):
    check = subject.make_check()
    subject.set_answer(verdict)
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states(verdict, check), clause="a")

    check.delete()
    always(lambda: workload.had_verdict(check, "Retry", "Rejected").negate(), clause="b")
    other = subject.make_check()
    subject.set_answer("Ready")
    another = kueue.precheck(make_queue([other]))

    within("react", lambda: another.has_states("Ready", other), clause="c")


@scenario(
    "CHK-098",
    "a check that is being deleted gets no new verdict",
    requirement="check-contract#checks-come-and-go",
    shows="CC-066",
    level="should",
    needs=KUEUE,
    drivers=("ready", "pending"),
    clauses={"a": "the check is Active", "b": "the entry stays Pending"},
)
def test_check_that_goes_gives_no_verdict(make_queue, subject, kueue):
    check = subject.make_check()
    kueue.add_finalizer(check)
    within("react", check.is_active, clause="a")
    workload = kueue.precheck(make_queue([check]))
    check.delete()
    subject.catch_up()

    subject.set_answer("Ready")

    always(lambda: workload.has_states("Pending", check), clause="b")
    kueue.remove_finalizer(check)
