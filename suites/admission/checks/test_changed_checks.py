"""ADM: checks that are added to or removed from a queue with
reserved or admitted Workloads (AC-308…310, AC-377, AC-378).
"""

from kueue_conformance import always, cross, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-012",
    "an admitted Workload stays admitted when its queue's checks change",
    requirement="docs-2024#added-does-not-evict",
    shows="SC-225 AC-309 AC-377",
    cases=rows(
        "change form", *((change, form) for change in ("added", "removed", "replaced") for form in FORMS)
    ),
    clauses={"a": "the list follows", "b": "it stays admitted"},
)
def test_admitted_stays_admitted(kueue_cluster, change, form):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit(form)
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.admit(workload)
    always(workload.is_admitted)
    new = kueue_cluster.make_check()
    after = {"added": (*queue.checks, new), "removed": (), "replaced": (new,)}[change]

    queue.set_checks(*after)

    within("settle", lambda: workload.lists_checks(*after), clause="a")
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-013",
    "a check added to a Prechecked Workload holds its admission back",
    requirement=("kep-993#every-check-required", "docs-2024#added-is-pending"),
    shows="AC-308 AC-378 AC-487",
    cases=pairwise(form=FORMS),
    revision=2,
    clauses={"a": "the old answer is not enough", "b": "the new one admits", "c": "it keeps its reservation"},
)
def test_check_added_while_prechecked(kueue_cluster, form):
    queue, added = kueue_cluster.make_queue(checks=1), kueue_cluster.make_check()
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.set_checks(*queue.checks, added)
    within("settle", lambda: workload.lists_checks(*queue.checks, added))
    always(workload.is_prechecked, clause="c")

    queue.checks[0].answer(workload, "Ready")
    always(workload.is_prechecked, clause="a")
    added.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-014",
    "removing the last check that has not passed admits the Workload",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-310 AC-378 R-08",
    cases=pairwise(checks=(1, 2, 3), form=FORMS),
    clauses={"a": "it is admitted"},
)
def test_removed_check_no_longer_holds_back(make_queue, checks, form):
    queue = make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    *passed, _ = queue.checks
    [check.answer(workload, "Ready") for check in passed]
    always(workload.is_prechecked)

    queue.set_checks(*passed)

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-313",
    "the Retry or Rejected of a check has no effect once the check is no longer required",
    requirement=("docs-2024#list-in-sync", "docs-2024#admitted-when-ready"),
    shows="AC-357 AC-282 AC-358",
    since="0.8",
    also=("kep993",),
    cases=cross(place=(1, 2, 3), state=("Retry", "Rejected")),
    clauses={"a": "it is dropped", "b": "the others admit"},
)
def test_dropped_verdict_counts_no_more(make_queue, place, state):
    queue = make_queue(checks=3)
    queue.hold()
    workload = queue.submit()
    within("settle", lambda: workload.lists_checks(*queue.checks))
    against = queue.checks[place - 1]
    other_checks = [check for check in queue.checks if check is not against]
    against.answer(workload, state)

    queue.set_checks(*other_checks)

    within("settle", lambda: workload.lists_checks(*other_checks), clause="a")
    queue.resume()
    within("reserve", workload.is_prechecked, clause="b")
    [check.answer(workload, "Ready") for check in other_checks]
    within("admit", workload.is_admitted, clause="b")
