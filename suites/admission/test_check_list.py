"""ADM: the list of checks on a Workload follows its ClusterQueue (documentation, "AdmissionCheckStates"; AC-350…359)."""

from kueue_conformance import always, listed, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-001", "every check of the queue is listed as Pending before any quota is reserved",
    requirement=("docs-2024#list-in-sync", "kep-993#undecided-at-first", "kep-993#one-entry-per-check"),
    shows="SC-001 AC-280 AC-350 AC-357 D-01", cases=pairwise(checks=(1, 2, 8), form=FORMS),
    clauses={"a": "each check is listed, and no other", "b": "each is Pending", "c": "no quota is reserved"},
)  # fmt: skip
def test_checks_are_listed_while_pending(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="0")

    workload = queue.submit(form)

    within("settle", lambda: workload.lists_checks(*queue.checks), clause="a")
    within("settle", lambda: workload.has_states("Pending"), clause="b")
    always(workload.is_suspended, clause="c")


@scenario(
    "ADM-002", "replacing a check keeps the entries of the others as they are",
    requirement="docs-2024#list-in-sync", shows="SC-002 AC-357",
    clauses={"a": "the new list is shown", "b": "the entry that stays is identical", "c": "the new one is Pending"},
)  # fmt: skip
def test_entries_that_stay_are_untouched(kueue_cluster):
    first, second, third = kueue_cluster.check(), kueue_cluster.check(), kueue_cluster.check()
    queue = kueue_cluster.queue([first, second], cpu="0")
    workload = queue.submit()
    within("settle", lambda: workload.lists_checks(first, second))
    first.answers(workload, "Ready", message=kueue_cluster.names.message())
    second.answers(workload, "Retry", message=kueue_cluster.names.message())
    kept = workload.check_entry(second)

    queue.requires(second, third)

    within("settle", lambda: workload.lists_checks(second, third), clause="a")
    always(lambda: workload.check_entry(second) == kept, clause="b")
    always(lambda: workload.has_states("Pending", third), clause="c")


@scenario(
    "ADM-003", "after reservation only the checks of the assigned flavor are listed",
    requirement=("docs-2024#checks-per-flavor", "docs-2024#checks-for-all"), shows="SC-003 SC-006 AC-351",
    since="0.7", also=("kep993",), cases=pairwise(form=FORMS),
    clauses={"a": "the second flavor is assigned", "b": "its checks are listed", "c": "they hold the admission back"},
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
    requirement="docs-2024#checks-per-flavor", shows="SC-006 AC-350", since="0.7", also=("kep993",),
    clauses={"a": "a check for one flavor is not listed", "b": "one that names every flavor is"},
)  # fmt: skip
def test_pending_workload_lists_checks_for_all_flavors(kueue_cluster):
    one, other = kueue_cluster.flavor(), kueue_cluster.flavor()
    for_all, for_both, for_one = kueue_cluster.check(), kueue_cluster.check(), kueue_cluster.check()
    rules = {for_both.name: [one, other], for_one.name: [one]}
    queue = kueue_cluster.queue([for_all, for_both, for_one], flavors=[one, other], cpu="0", on=rules)

    workload = queue.submit(cpu="3")

    within("settle", lambda: workload.lists_checks(for_all, for_both), clause="b")
    always(lambda: workload.lists_any(for_one).denied(), clause="a")


@scenario(
    "ADM-006", "a check added to the queue is added to its Workloads as Pending",
    requirement="docs-2024#added-is-pending", shows="AC-280 AC-357 AC-376", cases=pairwise(form=FORMS),
    clauses={"a": "it is listed", "b": "it is Pending"},
)  # fmt: skip
def test_added_check_is_listed(kueue_cluster, form):
    queue = kueue_cluster.queue(checks=1, cpu="0")
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    added = kueue_cluster.check()

    queue.requires(*queue.checks, added)

    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="a")
    always(lambda: workload.has_states("Pending", added), clause="b")


@scenario(
    "ADM-007", "removing every check from the queue empties the list",
    requirement="docs-2024#list-in-sync", shows="SC-007 AC-358", cases=pairwise(checks=(1, 3)),
    clauses={"a": "nothing is listed"},
)  # fmt: skip
def test_list_can_become_empty(make_queue, checks):
    queue = make_queue(checks=checks, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))

    queue.requires()

    within("settle", workload.lists_checks, clause="a")


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
    requirement="docs-2024#list-in-sync", shows="AC-358", level="may", since="0.7", clauses={"a": "names are in order"},
)  # fmt: skip
def test_list_is_sorted(make_queue):
    queue = make_queue(checks=3, cpu="0")

    workload = queue.submit(cpu="1")

    within("settle", lambda: workload.lists_checks(*queue.checks))
    within("settle", workload.lists_checks_in_order, clause="a")


@scenario(
    "ADM-011", "a Workload in a queue that requires more checks than a Workload can hold is never admitted",
    requirement="kep-993#every-check-required", shows="SC-233 AC-164", since="0.15", cases=pairwise(form=FORMS), revision=2,
    clauses={"a": "it is not admitted", "b": "as many as it can hold are no obstacle"},
)  # fmt: skip
def test_nine_checks_are_too_many(make_queue, form):
    too_many, just_enough = make_queue(checks=9), make_queue(checks=8)

    workload, other = too_many.submit(form), just_enough.submit(form)

    within("reserve", lambda: other.is_prechecked() and other.lists_checks(*just_enough.checks), clause="b")
    always(lambda: workload.was_ever("Admitted").denied(), clause="a")


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
    cases=pairwise(form=FORMS), clauses={"a": "the old answer is not enough", "b": "the new one admits"},
)  # fmt: skip
def test_check_added_while_prechecked(kueue_cluster, form):
    queue, added = kueue_cluster.queue(checks=1), kueue_cluster.check()
    workload = queue.submit(form)
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))
    queue.requires(*queue.checks, added)
    within("settle", lambda: workload.lists_checks(*queue.checks, added))

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
    requirement="kep-993#one-entry-per-check", shows="AC-357 CC-082", clauses={"a": "only the one that passed is admitted"},
)  # fmt: skip
def test_verdicts_are_per_workload(make_queue):
    queue = make_queue(checks=1)
    passed, waiting = queue.submit(), queue.submit()
    within("settle", lambda: passed.lists_checks(*queue.checks) and waiting.lists_checks(*queue.checks))

    queue.checks[0].answers(passed, "Ready")

    within("admit", passed.is_admitted)
    always(waiting.is_prechecked, clause="a")


@scenario(
    "ADM-016", "a Workload moved into another queue by its user lists that queue's checks",
    requirement="docs-2024#list-in-sync", shows="AC-096 AC-356", clauses={"a": "the new queue's checks are listed"},
)  # fmt: skip
def test_pending_workload_may_change_its_queue(kueue_cluster):
    old, new = kueue_cluster.queue(checks=1, cpu="0"), kueue_cluster.queue(checks=2, cpu="0")
    workload = old.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*old.checks))

    workload.moves_to(new)

    within("settle", lambda: workload.lists_checks(*new.checks), clause="a")
