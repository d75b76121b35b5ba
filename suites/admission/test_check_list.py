"""ADM: the list of checks on a Workload follows its ClusterQueue (documentation, "AdmissionCheckStates"; AC-350…359)."""

from kueue_conformance import always, cross, listed, never, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-001", "every check of the queue is listed as Pending before any quota is reserved",
    requirement=("docs-2024#list-in-sync", "kep-993#undecided-at-first", "kep-993#one-entry-per-check"),
    shows="SC-001 AC-280 AC-350 AC-357 D-01", cases=pairwise(checks=(1, 2, 8), form=FORMS), revision=2,
    clauses={
        "a": "each check is listed, and no other", "b": "each is Pending", "c": "no quota is reserved, and nothing admitted",
        "d": "with quota they are what is left to wait for",
    },
)  # fmt: skip
def test_checks_are_listed_while_pending(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="0")

    workload = queue.submit(form)

    within("settle", lambda: workload.lists_checks(*queue.checks), clause="a")
    within("settle", lambda: workload.has_states("Pending"), clause="b")
    always(workload.is_suspended, clause="c")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    queue.has_quota("10")
    within("reserve", workload.is_prechecked, clause="d")
    [check.answers(workload, "Ready") for check in queue.checks]
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-002", "replacing a check keeps the entries of the others as they are",
    requirement="docs-2024#list-in-sync", shows="SC-002 AC-357", revision=2, cases=cross(replaced=(1, 2, 3), state=("Ready", "Retry")),
    clauses={"a": "the new list is shown", "b": "the entries that stay are identical, but for the new one nothing has changed", "c": "the new one is Pending"},
)  # fmt: skip
def test_entries_that_stay_are_untouched(kueue_cluster, clock, replaced, state):
    checks, new = [kueue_cluster.check() for _ in range(3)], kueue_cluster.check()
    queue = kueue_cluster.queue(checks, cpu="0")
    workload = queue.submit()
    within("settle", lambda: workload.lists_checks(*checks))
    for check in checks:
        updates = kueue_cluster.pod_updates(value=check.name)
        check.answers(workload, state, message=kueue_cluster.names.message(), delay=0, updates=updates)
    dropped = checks.pop(replaced - 1)
    kept = [workload.check_entry(check) for check in checks]
    clock.ticks()

    queue.requires(*checks, new)

    within("settle", lambda: workload.lists_checks(*checks, new), clause="a")
    always(lambda: [workload.check_entry(check) for check in checks] == kept, clause="b")
    always(lambda: workload.has_states("Pending", new), clause="c")
    always(lambda: workload.lists_any(dropped).denied(), clause="a")


@scenario(
    "ADM-003", "after reservation only the checks of the assigned flavor are listed",
    requirement=("docs-2024#checks-per-flavor", "docs-2024#checks-for-all"), shows="SC-003 SC-006 AC-351",
    since="0.7", also=("kep993",), cases=pairwise(form=FORMS), revision=2,
    clauses={"a": "the second flavor is assigned", "b": "its checks are listed", "c": "they hold the admission back", "d": "and admit when they pass"},
)  # fmt: skip
def test_checks_follow_the_assigned_flavor(kueue_cluster, form):
    reservation, on_demand = kueue_cluster.flavor(), kueue_cluster.flavor()
    check1, check2, check3 = kueue_cluster.check(), kueue_cluster.check(), kueue_cluster.check()
    rules = {check1.name: [on_demand], check3.name: [reservation]}
    queue = kueue_cluster.queue(
        [check1, check2, check3], flavors=[reservation, on_demand], cpu=("1", "5"), on=rules
    )

    workload = queue.submit(form, cpu="3")

    within("reserve", lambda: workload.uses_flavor(on_demand), clause="a")
    within("settle", lambda: workload.lists_checks(check1, check2), clause="b")
    always(workload.is_prechecked, clause="c")
    check1.answers(workload, "Ready")
    check2.answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-004", "moving checks to other flavors changes the list of a reserved Workload",
    requirement="docs-2024#checks-per-flavor", shows="SC-004 SC-005 AC-351 AC-357", since="0.7", also=("kep993",),
    clauses={"a": "the list follows", "b": "the remaining checks admit"},
)  # fmt: skip
def test_list_follows_a_changed_strategy(kueue_cluster):
    reservation, on_demand = kueue_cluster.flavor(), kueue_cluster.flavor()
    check1, check2, check3 = kueue_cluster.check(), kueue_cluster.check(), kueue_cluster.check()
    rules = {check1.name: [on_demand], check3.name: [reservation]}
    queue = kueue_cluster.queue(
        [check1, check2, check3], flavors=[reservation, on_demand], cpu=("1", "5"), on=rules
    )
    workload = queue.submit(cpu="3")
    within("settle", lambda: workload.lists_checks(check1, check2))

    queue.requires(check1, check2, check3, on={check1.name: [on_demand], check2.name: [reservation]})
    within("settle", lambda: workload.lists_checks(check1, check3), clause="a")
    check1.answers(workload, "Ready")
    check3.answers(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-005", "before reservation only the checks that cover every flavor are listed",
    requirement="docs-2024#checks-per-flavor", shows="SC-006 AC-350", since="0.7", also=("kep993",), revision=2,
    clauses={"a": "a check for one flavor is not listed", "b": "one that names every flavor is", "c": "those that are admit it on the other flavor"},
)  # fmt: skip
def test_pending_workload_lists_checks_for_all_flavors(kueue_cluster):
    one, other = kueue_cluster.flavor(), kueue_cluster.flavor()
    for_all, for_both, for_one = kueue_cluster.check(), kueue_cluster.check(), kueue_cluster.check()
    rules = {for_both.name: [one, other], for_one.name: [one]}
    queue = kueue_cluster.queue([for_all, for_both, for_one], flavors=[one, other], cpu="0", on=rules)

    workload = queue.submit(cpu="3")

    within("settle", lambda: workload.lists_checks(for_all, for_both), clause="b")
    always(lambda: workload.lists_any(for_one).denied(), clause="a")
    queue.has_quotas("0", "5")
    within("reserve", lambda: workload.uses_flavor(other), clause="c")
    always(lambda: workload.lists_checks(for_all, for_both), clause="b")
    [check.answers(workload, "Ready") for check in (for_all, for_both)]
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-006", "a check added to the queue is added to its Workloads as Pending",
    requirement="docs-2024#added-is-pending", shows="AC-280 AC-357 AC-376", cases=cross(added=(1, 2), form=FORMS), revision=2,
    clauses={"a": "it is listed", "b": "it is Pending", "c": "it has to pass like the others"},
)  # fmt: skip
def test_added_check_is_listed(kueue_cluster, added, form):
    queue = kueue_cluster.queue(checks=1, cpu="0")
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    *between, last = [kueue_cluster.check() for _ in range(added)]

    queue.requires(*queue.checks, *between, last)

    within("settle", lambda: workload.lists_checks(*queue.checks, *between, last), clause="a")
    always(lambda: workload.has_states("Pending", *between, last), clause="b")
    queue.has_quota("5")
    within("reserve", workload.is_prechecked)
    [check.answers(workload, "Ready") for check in (*queue.checks, *between)]
    always(workload.is_prechecked, clause="c")
    last.answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-007", "removing every check from the queue empties the list",
    requirement="docs-2024#list-in-sync", shows="SC-007 AC-358", cases=cross(checks=(1, 3), state=("Pending", "Ready", "Retry")), revision=2,
    clauses={"a": "nothing is listed, whatever was said", "b": "nothing holds the admission back"},
)  # fmt: skip
def test_list_can_become_empty(make_queue, checks, state):
    queue = make_queue(checks=checks)
    queue.holds()
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    [check.answers(workload, state) for check in queue.checks]

    queue.requires()

    within("settle", workload.lists_checks, clause="a")
    always(workload.is_suspended)
    queue.resumes()
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-008", "the list is the same for the two ways in which v1beta1 refers to checks",
    requirement=("docs-2024#either-field", "kueue-api#versions"), shows="SC-008 AC-201", level="may", since="0.7",
    cases=listed("version", ("v1beta1",)), clauses={"a": "by a list of names", "b": "by a strategy"},
)  # fmt: skip
def test_v1beta1_fields_mean_the_same(make_queue, version):
    by_names = make_queue(checks=2)
    by_strategy = make_queue(checks=by_names.checks)
    by_strategy.requires(*by_names.checks)

    first, second = by_names.submit(), by_strategy.submit()

    within("settle", lambda: first.lists_checks(*by_names.checks), clause="a")
    within("settle", lambda: second.lists_checks(*by_names.checks), clause="b")


@scenario(
    "ADM-009", "a Workload that asks for nothing is admitted without any check",
    requirement="docs-2024#checks-per-flavor", shows="SC-226 AC-352 R-09", since="0.7", level="should",
    cases=pairwise(form=FORMS), clauses={"a": "it is admitted", "b": "no check is listed"},
)  # fmt: skip
def test_no_flavor_means_no_check(make_queue, form):
    queue = make_queue(checks=1)

    workload = queue.submit_requests_nothing(form)

    within("admit", workload.is_admitted, clause="a")
    within("settle", workload.lists_checks, clause="b")


@scenario(
    "ADM-010", "the list is sorted by name",
    requirement="docs-2024#list-in-sync", shows="AC-358", level="may", since="0.7", cases=cross(added=(1, 2, 3)), revision=2,
    clauses={"a": "names are in order", "b": "also when one is added"},
)  # fmt: skip
def test_list_is_sorted(kueue_cluster, added):
    checks = [kueue_cluster.check() for _ in range(3)]
    before = [check for check in reversed(checks) if check is not checks[added - 1]]
    queue = kueue_cluster.queue(before, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*before) and workload.lists_checks_in_order(), clause="a")

    queue.requires(*reversed(checks))

    within("settle", lambda: workload.lists_checks(*checks), clause="b")
    within("settle", workload.lists_checks_in_order, clause="b")


@scenario(
    "ADM-011", "a Workload in a queue that requires more checks than a Workload can hold is never admitted",
    requirement="kep-993#every-check-required", shows="SC-233 AC-164", since="0.15", cases=pairwise(form=FORMS), revision=3,
    clauses={"a": "it is not admitted", "b": "as many as it can hold are no obstacle, and admit when they pass"},
)  # fmt: skip
def test_nine_checks_are_too_many(make_queue, form):
    too_many, just_enough = make_queue(checks=9), make_queue(checks=8)

    workload, other = too_many.submit(form), just_enough.submit(form)

    within("reserve", lambda: other.is_prechecked() and other.lists_checks(*just_enough.checks), clause="b")
    [check.answers(other, "Ready") for check in just_enough.checks]
    within("admit", other.is_admitted, clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="a")


@scenario(
    "ADM-012", "an admitted Workload stays admitted when its queue's checks change",
    requirement="docs-2024#added-does-not-evict", shows="SC-225 AC-309 AC-377",
    cases=listed("change form", *((change, form) for change in ("added", "removed", "replaced") for form in FORMS)),
    clauses={"a": "the list follows", "b": "it stays admitted"},
)  # fmt: skip
def test_admitted_stays_admitted(kueue_cluster, change, form):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.submit(form)
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.checks[0].answers(workload, "Ready")
    within("admit", workload.is_admitted)
    new = kueue_cluster.check()
    after = {"added": (*queue.checks, new), "removed": (), "replaced": (new,)}[change]

    queue.requires(*after)

    within("settle", lambda: workload.lists_checks(*after), clause="a")
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-013", "a check added to a Prechecked Workload holds its admission back",
    requirement=("kep-993#every-check-required", "docs-2024#added-is-pending"), shows="AC-308 AC-378 AC-487",
    cases=pairwise(form=FORMS), revision=2, clauses={"a": "the old answer is not enough", "b": "the new one admits", "c": "it keeps its reservation"},
)  # fmt: skip
def test_check_added_while_prechecked(kueue_cluster, form):
    queue, added = kueue_cluster.queue(checks=1), kueue_cluster.check()
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.requires(*queue.checks, added)
    within("settle", lambda: workload.lists_checks(*queue.checks, added))
    always(workload.is_prechecked, clause="c")

    queue.checks[0].answers(workload, "Ready")
    always(workload.is_prechecked, clause="a")
    added.answers(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-014", "removing the last check that has not passed admits the Workload",
    requirement="docs-2024#admitted-when-ready", shows="AC-310 AC-378 R-08", cases=pairwise(checks=(1, 2, 3), form=FORMS),
    clauses={"a": "it is admitted"},
)  # fmt: skip
def test_removed_check_no_longer_holds_back(make_queue, checks, form):
    queue = make_queue(checks=checks)
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    *passed, _ = queue.checks
    [check.answers(workload, "Ready") for check in passed]
    always(workload.is_prechecked)

    queue.requires(*passed)

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-015", "Workloads of one queue have lists of their own",
    requirement="kep-993#one-entry-per-check", shows="AC-357 CC-082", revision=2,
    clauses={"a": "only the one that passed is admitted", "b": "the other one when it has passed too"},
)  # fmt: skip
def test_verdicts_are_per_workload(make_queue):
    queue = make_queue(checks=1)
    passed, waiting = queue.submit(), queue.submit()
    within("settle", lambda: passed.lists_checks(*queue.checks) and waiting.lists_checks(*queue.checks))

    queue.checks[0].answers(passed, "Ready")

    within("admit", passed.is_admitted, clause="a")
    always(waiting.is_prechecked, clause="a")
    queue.checks[0].answers(waiting, "Ready")
    within("admit", waiting.is_admitted, clause="b")


@scenario(
    "ADM-016", "a Workload moved into another queue by its user lists that queue's checks",
    requirement="docs-2024#list-in-sync", shows="AC-096 AC-356", cases=cross(state=("Pending", "Ready", "Retry")), revision=2,
    clauses={"a": "the new queue's checks are listed", "b": "they decide, whatever the old ones said"},
)  # fmt: skip
def test_pending_workload_may_change_its_queue(kueue_cluster, state):
    old, new = kueue_cluster.queue(checks=1), kueue_cluster.queue(checks=2)
    old.holds()
    workload = old.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*old.checks))
    old.checks[0].answers(workload, state)

    workload.moves_to(new)

    within("settle", lambda: workload.lists_checks(*new.checks), clause="a")
    within("reserve", workload.is_prechecked, clause="b")
    always(workload.is_prechecked, clause="b")
    [check.answers(workload, "Ready") for check in new.checks]
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-310", "what is added to the list says nothing yet, and says since when",
    requirement="docs-2024#added-is-pending", shows="AC-357 AC-386 D-01", level="should", cases=pairwise(form=FORMS),
    clauses={"a": "an empty message", "b": "the time at which it was added", "c": "and nothing else"},
)  # fmt: skip
def test_new_entry(kueue_cluster, clock, form):
    queue, added = kueue_cluster.queue(checks=1, cpu="0"), kueue_cluster.check()
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    clock.passes(clock.hold)
    before = clock.now()

    queue.requires(*queue.checks, added)

    within("settle", lambda: workload.lists_checks(*queue.checks, added))
    always(lambda: workload.entry_says(added, ""), clause="a")
    always(lambda: workload.entry_changed_between(added, before, clock.now()), clause="b")
    always(
        lambda: set(workload.check_entry(added)) == {"name", "state", "message", "lastTransitionTime"},
        clause="c",
    )


@scenario(
    "ADM-311", "the lists of all Workloads of a ClusterQueue follow, wherever they wait",
    requirement=("docs-2024#list-in-sync", "docs-2024#added-is-pending"), shows="AC-328 AC-356 AC-357", cases=cross(change=("added", "removed")),
    clauses={"a": "in each LocalQueue, those that wait and those that hold quota"},
)  # fmt: skip
def test_all_lists_follow(kueue_cluster, change):
    queue = kueue_cluster.queue(checks=2, cpu="2")
    elsewhere = kueue_cluster.in_other_namespace(queue)
    here, there = ([place.submit(cpu="1") for _ in range(3)] for place in (queue, elsewhere))
    workloads = [*here, *there]
    within("settle", lambda: queue.counts(reserving=2, pending=4))
    within("settle", lambda: all(one.lists_checks(*queue.checks) for one in workloads))
    after = {"added": (*queue.checks, kueue_cluster.check()), "removed": queue.checks[:1]}[change]

    queue.requires(*after)

    for one in workloads:
        within("settle", lambda one=one: one.lists_checks(*after), clause="a")


@scenario(
    "ADM-312", "checks whose names begin alike are different checks",
    requirement="kep-993#one-entry-per-check", shows="AC-357 CC-002", cases=cross(answered=("shorter", "longer")),
    clauses={"a": "both are listed", "b": "one that passed does not admit for the other", "c": "one that is dropped does not drop the other"},
)  # fmt: skip
def test_similar_names(kueue_cluster, answered):
    short = kueue_cluster.check()
    long = kueue_cluster.check_named_like(short)
    first, other = {"shorter": (short, long), "longer": (long, short)}[answered]
    queue = kueue_cluster.queue([short, long])
    workload = queue.submit()
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(short, long), clause="a")

    first.answers(workload, "Ready")

    always(lambda: workload.is_prechecked() and workload.has_states("Pending", other), clause="b")
    queue.requires(other)
    within("settle", lambda: workload.lists_checks(other), clause="c")
    always(workload.is_prechecked, clause="c")
    other.answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-313", "a verdict against a Workload counts no more when its check is no longer required",
    requirement=("docs-2024#list-in-sync", "docs-2024#admitted-when-ready"), shows="AC-357 AC-282 AC-358", since="0.8", also=("kep993",),
    cases=cross(place=(1, 2, 3), state=("Retry", "Rejected")),
    clauses={"a": "it is dropped", "b": "the others admit"},
)  # fmt: skip
def test_dropped_verdict_counts_no_more(make_queue, place, state):
    queue = make_queue(checks=3)
    queue.holds()
    workload = queue.submit()
    within("settle", lambda: workload.lists_checks(*queue.checks))
    against = queue.checks[place - 1]
    others = [check for check in queue.checks if check is not against]
    against.answers(workload, state)

    queue.requires(*others)

    within("settle", lambda: workload.lists_checks(*others), clause="a")
    queue.resumes()
    within("reserve", workload.is_prechecked, clause="b")
    [check.answers(workload, "Ready") for check in others]
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-314", "the list of a Workload stays when its ClusterQueue is gone, and follows the next one of that name",
    requirement="docs-2024#list-in-sync", shows="AC-325 AC-356 AC-376", level="should", cases=pairwise(form=FORMS),
    clauses={"a": "what was said stays", "b": "the new ClusterQueue's checks are listed"},
)  # fmt: skip
def test_list_without_a_cluster_queue(kueue_cluster, form):
    queue, next_check = kueue_cluster.queue(checks=2, cpu="0"), kueue_cluster.check()
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.checks[0].answers(workload, "Ready")
    kept = [workload.check_entry(check) for check in queue.checks]

    queue.delete()

    within("settle", queue.is_gone)
    always(lambda: [workload.check_entry(check) for check in queue.checks] == kept, clause="a")
    workload.touch()
    always(lambda: [workload.check_entry(check) for check in queue.checks] == kept, clause="a")
    kueue_cluster.cluster_queue_for(queue, [queue.checks[0], next_check])
    within("settle", lambda: workload.lists_checks(queue.checks[0], next_check), clause="b")


@scenario(
    "ADM-315", "the list of a deactivated Workload follows too",
    requirement="docs-2024#list-in-sync", shows="AC-376", level="should", since="0.8", also=("kep993",), clauses={"a": "it follows"},
)  # fmt: skip
def test_list_of_a_deactivated_workload(kueue_cluster):
    queue, added = kueue_cluster.queue(checks=1), kueue_cluster.check()
    workload = queue.brings_to("prechecked")
    workload.deactivate()
    within("evict", workload.is_suspended)

    queue.requires(*queue.checks, added)

    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="a")


@scenario(
    "ADM-316", "the lists of a stopped LocalQueue follow when it goes on",
    requirement="docs-2024#list-in-sync", shows="AC-376 AC-432", since="0.8", also=("kep993",), level="may",
    clauses={"a": "they stay meanwhile", "b": "they follow then"},
)  # fmt: skip
def test_list_of_a_stopped_local_queue(kueue_cluster):
    queue, added = kueue_cluster.queue(checks=1, cpu="0"), kueue_cluster.check()
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.users_hold()
    within("settle", lambda: queue.users_see_inactive("Stopped"))

    queue.requires(*queue.checks, added)
    workload.touch()

    always(lambda: workload.lists_checks(*queue.checks), clause="a")
    queue.users_resume()
    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="b")
