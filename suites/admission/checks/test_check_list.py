"""ADM: the checks that a Workload lists (documentation, "AdmissionCheckStates"; AC-350, AC-357, AC-358)."""

from kueue_conformance import always, cross, never, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-001",
    "every check of the queue is listed as Pending before any quota is reserved",
    requirement=("docs-2024#list-in-sync", "kep-993#undecided-at-first", "kep-993#one-entry-per-check"),
    shows="SC-001 AC-280 AC-350 AC-357 D-01",
    cases=pairwise(checks=(1, 2, 8), form=FORMS),
    revision=2,
    clauses={
        "a": "each check is listed, and no other",
        "b": "each is Pending",
        "c": "no quota is reserved, and no Workload is admitted",
        "d": "once quota is reserved only the checks are missing",
    },
)
def test_checks_are_listed_while_pending(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="0")

    workload = queue.submit(form)

    within("settle", lambda: workload.lists_checks(*queue.checks), clause="a")
    within("settle", lambda: workload.has_states("Pending"), clause="b")
    always(workload.is_suspended, clause="c")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    queue.set_quota("10")
    within("reserve", workload.is_prechecked, clause="d")
    [check.answer(workload, "Ready") for check in queue.checks]
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-002",
    "replacing a check keeps the entries of the others as they are",
    requirement="docs-2024#list-in-sync",
    shows="SC-002 AC-357",
    revision=3,
    cases=cross(replaced=(1, 2, 3), state=("Ready", "Retry")).also_drawn(),
    clauses={
        "a": "the new list is shown, and it is when everything is at rest",
        "b": "the other entries are identical, and nothing else in the status has changed",
        "c": "the new one is Pending",
    },
)
def test_entries_that_stay_are_untouched(kueue_cluster, clock, replaced, state):
    checks, new = [kueue_cluster.make_check() for _ in range(3)], kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(checks, cpu="0")
    workload = queue.submit()
    within("settle", lambda: workload.lists_checks(*checks))
    clock.settle()  # else Kueue's first attempt may put the answer back (AC-372)
    for number, check in enumerate(checks, 1):
        # A label's value: a drawn name of a check may be longer than 63 characters.
        updates = kueue_cluster.pod_updates(value=f"check-{number}")
        check.answer(workload, state, message=kueue_cluster.names.message(), delay=0, updates=updates)
        clock.settle()  # else Kueue, which reacts to the one, may put the next one back (AC-372)
    checks.pop(replaced - 1)
    entries_before = [workload.entry_of(check) for check in checks]
    clock.tick()

    queue.set_checks(*checks, new)

    within("settle", lambda: workload.lists_checks(*checks, new), clause="a")
    always(lambda: [workload.entry_of(check) for check in checks] == entries_before, clause="b")
    always(lambda: workload.has_states("Pending", new), clause="c")
    # Only at rest: the scheduler's older copy may bring the entry back for a moment (AC-372).
    within("settle", lambda: workload.lists_checks(*checks, new), clause="a")


@scenario(
    "ADM-010",
    "the check list of a Workload is sorted by name",
    requirement="docs-2024#list-in-sync",
    shows="AC-358",
    level="may",
    since="0.7",
    cases=cross(added=(1, 2, 3)),
    revision=2,
    clauses={"a": "names are in order", "b": "also when one is added"},
)
def test_list_is_sorted(kueue_cluster, added):
    checks = [kueue_cluster.make_check() for _ in range(3)]
    before = [check for check in reversed(checks) if check is not checks[added - 1]]
    queue = kueue_cluster.make_queue(before, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*before) and workload.lists_checks_in_order(), clause="a")

    queue.set_checks(*reversed(checks))

    within("settle", lambda: workload.lists_checks(*checks) and workload.lists_checks_in_order(), clause="b")


@scenario(
    "ADM-011",
    "a Workload in a queue that requires more checks than a Workload can hold is never admitted",
    requirement="kep-993#every-check-required",
    shows="SC-233 AC-164",
    since="0.15",
    cases=pairwise(form=FORMS),
    revision=3,
    clauses={
        "a": "it is not admitted",
        "b": "as many as it can hold are no obstacle, and admit when they pass",
    },
)
def test_nine_checks_are_too_many(make_queue, form):
    too_many, just_enough = make_queue(checks=9), make_queue(checks=8)

    workload, other = too_many.submit(form), just_enough.submit(form)

    within("reserve", lambda: other.is_prechecked() and other.lists_checks(*just_enough.checks), clause="b")
    [check.answer(other, "Ready") for check in just_enough.checks]
    within("admit", other.is_admitted, clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="a")


@scenario(
    "ADM-015",
    "each Workload of a queue has a check list of its own",
    requirement="kep-993#one-entry-per-check",
    shows="AC-357 CC-082",
    revision=2,
    clauses={"a": "only the one that passed is admitted", "b": "the other one when it has passed too"},
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_verdicts_are_per_workload(make_queue):
    queue = make_queue(checks=1)
    passed, waiting = queue.submit(), queue.submit()
    within("reserve", lambda: waiting.is_prechecked() and waiting.lists_checks(*queue.checks))
    within("reserve", lambda: passed.is_prechecked() and passed.lists_checks(*queue.checks))

    queue.checks[0].answer(passed, "Ready")

    within("admit", passed.is_admitted, clause="a")
    always(waiting.is_prechecked, clause="a")
    queue.checks[0].answer(waiting, "Ready")
    within("admit", waiting.is_admitted, clause="b")


@scenario(
    "ADM-232",
    "the Workloads of two namespaces with the same name are two Workloads",
    requirement="kep-993#one-entry-per-check",
    shows="CC-079",
    clauses={"a": "only the one that passed is admitted"},
)
def test_two_namespaces(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    twin = kueue_cluster.make_local_queue_in_other_namespace(queue)
    workload, same_name = queue.submit(name="twin"), twin.submit(name="twin")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    within("reserve", lambda: same_name.is_prechecked() and same_name.lists_checks(*queue.checks))

    queue.checks[0].answer(same_name, "Ready")

    within("admit", same_name.is_admitted)
    always(workload.is_prechecked, clause="a")


@scenario(
    "ADM-310",
    "a new entry of the check list is Pending, with the time of its creation",
    requirement="docs-2024#added-is-pending",
    shows="AC-357 AC-386 D-01",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "an empty message", "b": "the time at which it was added", "c": "and nothing else"},
)
def test_new_entry(kueue_cluster, clock, form):
    queue, added = kueue_cluster.make_queue(checks=1, cpu="0"), kueue_cluster.make_check()
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    clock.advance(clock.hold)
    before = clock.current_time()

    queue.set_checks(*queue.checks, added)

    within("settle", lambda: workload.lists_checks(*queue.checks, added))
    always(lambda: workload.has_entry_message(added, ""), clause="a")
    always(lambda: workload.has_entry_time_between(added, before, clock.current_time()), clause="b")
    always(
        lambda: set(workload.entry_of(added)) == {"name", "state", "message", "lastTransitionTime"},
        clause="c",
    )


@scenario(
    "ADM-312",
    "checks whose names begin alike are different checks",
    requirement="kep-993#one-entry-per-check",
    shows="AC-357 CC-002",
    cases=cross(answered=("shorter", "longer")),
    clauses={
        "a": "both are listed",
        "b": "one that passed does not admit for the other",
        "c": "one that is dropped does not drop the other",
    },
)
def test_similar_names(kueue_cluster, answered):
    short = kueue_cluster.make_check()
    long = kueue_cluster.make_check_named_like(short)
    first, other = {"shorter": (short, long), "longer": (long, short)}[answered]
    queue = kueue_cluster.make_queue([short, long])
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(short, long), clause="a")

    first.answer(workload, "Ready")

    always(lambda: workload.is_prechecked() and workload.has_states("Pending", other), clause="b")
    queue.set_checks(other)
    within("settle", lambda: workload.lists_checks(other), clause="c")
    always(workload.is_prechecked, clause="c")
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")
