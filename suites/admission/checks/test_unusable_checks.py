"""ADM: a ClusterQueue whose AdmissionChecks are missing or not Active (documentation, "Usage"; AC-404…408,
AC-414…417, AC-424…426).
"""

from kueue_conformance import always, cross, rows, scenario, within


@scenario(
    "ADM-101",
    "a ClusterQueue whose checks are missing or not Active is inactive until all of them are",
    requirement="docs-2024#missing-or-inactive-check",
    shows="SC-101 AC-414 AC-415 D-17",
    cases=cross(last=(1, 2, 3)),
    revision=2,
    clauses={
        "a": "inactive while they are missing",
        "b": "while one is missing",
        "c": "while one is not Active",
        "d": "then active",
        "e": "nothing is reserved before",
    },
)
def test_missing_and_inactive_checks(kueue_cluster, last):
    checks = [kueue_cluster.missing_check() for _ in range(3)]
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit()
    within("settle", queue.is_inactive_for_missing_checks, clause="a")
    missing = checks[last - 1]

    [kueue_cluster.create_check(check).set_active() for check in checks if check is not missing]
    always(queue.is_inactive_for_missing_checks, clause="b")
    kueue_cluster.create_check(missing)
    within("settle", queue.is_inactive_for_inactive_checks, clause="c")
    always(lambda: queue.is_inactive() and workload.is_suspended(), clause="e")
    missing.set_active()

    within("settle", queue.is_active, clause="d")
    within("reserve", workload.is_prechecked, clause="d")


@scenario(
    "ADM-109",
    "an AdmissionCheck is Active only when its controller says so",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-404 AC-405",
    cases=rows("status", ("False",), ("Unknown",), ("absent",)),
    revision=2,
    clauses={
        "a": "the queue is inactive, and reserves nothing",
        "b": "active when the controller writes True",
    },
)
def test_check_without_active_true(kueue_cluster, status):
    check = kueue_cluster.make_check(active=False)
    {"absent": lambda: None}.get(status, lambda: check.set_active_status(status))()
    queue = kueue_cluster.make_queue([check])
    workload = queue.submit()
    within("settle", queue.is_inactive_for_inactive_checks, clause="a")
    always(lambda: queue.is_inactive() and workload.is_suspended(), clause="a")

    check.set_active()

    within("settle", queue.is_active, clause="b")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(check), clause="b")
    check.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-110",
    "an inactive ClusterQueue admits no Workload, and Workloads that hold quota continue",
    requirement="docs-2024#missing-or-inactive-check",
    shows="SC-230 AC-312 AC-425",
    revision=2,
    clauses={
        "a": "the reserved one is admitted all the same",
        "b": "the new one waits",
        "c": "the check still has to pass",
    },
)
def test_inactive_queue(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    reserved = queue.submit()
    within("reserve", lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks))

    queue.checks[0].set_active(False)
    within("settle", queue.is_inactive)
    new = queue.submit()
    reserved.touch()
    always(lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks), clause="c")
    queue.checks[0].answer(reserved, "Ready")

    within("admit", reserved.is_admitted, clause="a")
    always(new.is_suspended, clause="b")


@scenario(
    "ADM-111",
    "pending Workloads of an inactive ClusterQueue are admitted when it is active again",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-405 AC-425",
    cases=cross(was=("missing", "inactive")),
    revision=2,
    clauses={"a": "it waits", "b": "all that waited are reserved, and admitted when the check passes"},
)
def test_queue_becomes_active_again(kueue_cluster, was):
    check = {
        "missing": kueue_cluster.missing_check,
        "inactive": lambda: kueue_cluster.make_check(active=False),
    }[was]()
    queue = kueue_cluster.make_queue([check])
    workloads = [queue.submit() for _ in range(2)]
    always(lambda: all(workload.is_suspended() for workload in workloads), clause="a")

    {"missing": kueue_cluster.create_check, "inactive": lambda check_itself: check_itself}[was](
        check
    ).set_active()

    for workload in workloads:
        within(
            "reserve",
            lambda workload=workload: workload.is_prechecked() and workload.lists_checks(check),
            clause="b",
        )
        check.answer(workload, "Ready")
        within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-320",
    "a ClusterQueue becomes inactive when the finalizer of its check is removed and the check is deleted",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-403 AC-408 AC-414",
    cases=cross(place=(1, 2)),
    clauses={
        "a": "inactive for the missing check",
        "b": "a reserved Workload still waits for it",
        "c": "no new Workload is reserved",
        "d": "it continues with a new check of that name",
    },
)
def test_check_that_is_stripped_and_gone(kueue_cluster, place):
    queue = kueue_cluster.make_queue(checks=2)
    gone, reserved = queue.checks[place - 1], queue.submit_until("prechecked")
    within("settle", gone.has_finalizer)

    gone.delete()
    gone.remove_finalizers()

    within("settle", queue.is_inactive_for_missing_checks, clause="a")
    reserved.touch()
    always(lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks), clause="b")
    new = queue.submit()
    always(new.is_suspended, clause="c")
    kueue_cluster.create_check(gone).set_active()
    within("settle", queue.is_active, clause="d")
    within("reserve", lambda: new.is_prechecked() and new.lists_checks(*queue.checks), clause="d")
    [check.answer(reserved, "Ready") for check in queue.checks]
    within("admit", reserved.is_admitted, clause="d")


@scenario(
    "ADM-322",
    "one check that is not Active, at any place, makes its ClusterQueue inactive, and no other ClusterQueue",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-405 AC-415 AC-424",
    cases=cross(place=(1, 2, 3)),
    clauses={
        "a": "each queue that names it is inactive",
        "b": "a queue that does not name it stays active",
        "c": "all of them when it can be used again",
    },
)
def test_inactive_check_at_each_place(kueue_cluster, place):
    queue = kueue_cluster.make_queue(checks=3)
    check = queue.checks[place - 1]
    besides, without = kueue_cluster.make_queue([check]), kueue_cluster.make_queue(checks=1)
    within("settle", lambda: queue.is_active() and besides.is_active() and without.is_active())

    check.set_active(False)

    within("settle", queue.is_inactive_for_inactive_checks, clause="a")
    within("settle", besides.is_inactive_for_inactive_checks, clause="a")
    always(without.is_active, clause="b")
    waiting, going = queue.submit(), without.submit()
    within("reserve", going.is_prechecked, clause="b")
    always(waiting.is_suspended, clause="a")
    check.set_active()
    within("settle", lambda: queue.is_active() and besides.is_active(), clause="c")
    within("reserve", lambda: waiting.is_prechecked() and waiting.lists_checks(*queue.checks), clause="c")
    [check.answer(waiting, "Ready") for check in queue.checks]
    within("admit", waiting.is_admitted, clause="c")
