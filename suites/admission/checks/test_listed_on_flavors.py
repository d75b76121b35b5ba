"""ADM: which checks are listed where some are for some flavors
only (documentation, "Checks per flavor"; AC-350…353, C-04).
"""

from kueue_conformance import always, cross, never, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-003",
    "after reservation only the checks of the assigned flavor are listed",
    requirement=("docs-2024#checks-per-flavor", "docs-2024#checks-for-all"),
    shows="SC-003 SC-006 AC-351",
    since="0.7",
    also=("kep993",),
    cases=pairwise(form=FORMS).also_drawn().also_beside_namesakes(),
    revision=2,
    clauses={
        "a": "the second flavor is assigned",
        "b": "its checks are listed",
        "c": "they hold the admission back",
        "d": "and admit when they pass",
    },
)
def test_checks_follow_the_assigned_flavor(kueue_cluster, form):
    reservation, on_demand = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    check1, check2, check3 = (
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
    )
    rules = {check1.name: [on_demand], check3.name: [reservation]}
    queue = kueue_cluster.make_queue(
        [check1, check2, check3], flavors=[reservation, on_demand], cpu=("1", "5"), on=rules
    )

    workload = queue.submit(form, cpu="3")

    within("reserve", lambda: workload.has_flavor(on_demand), clause="a")
    within("settle", lambda: workload.lists_checks(check1, check2), clause="b")
    always(workload.is_prechecked, clause="c")
    check1.answer(workload, "Ready")
    check2.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-004",
    "moving checks to other flavors changes the list of a reserved Workload",
    requirement="docs-2024#checks-per-flavor",
    shows="SC-004 SC-005 AC-351 AC-357",
    since="0.7",
    also=("kep993",),
    clauses={"a": "the list follows", "b": "the remaining checks admit"},
)
def test_list_follows_a_changed_strategy(kueue_cluster):
    reservation, on_demand = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    check1, check2, check3 = (
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
    )
    rules = {check1.name: [on_demand], check3.name: [reservation]}
    queue = kueue_cluster.make_queue(
        [check1, check2, check3], flavors=[reservation, on_demand], cpu=("1", "5"), on=rules
    )
    workload = queue.submit(cpu="3")
    within("reserve", lambda: workload.has_flavor(on_demand) and workload.lists_checks(check1, check2))

    queue.set_checks(check1, check2, check3, on={check1.name: [on_demand], check2.name: [reservation]})
    within("settle", lambda: workload.lists_checks(check1, check3), clause="a")
    check1.answer(workload, "Ready")
    check3.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-005",
    "before reservation only the checks that cover every flavor are listed",
    requirement="docs-2024#checks-per-flavor",
    shows="SC-006 AC-350",
    since="0.7",
    also=("kep993",),
    revision=2,
    clauses={
        "a": "a check for one flavor is not listed",
        "b": "one that names every flavor is",
        "c": "the checks of the other flavor admit it there",
    },
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_pending_workload_lists_checks_for_all_flavors(kueue_cluster):
    first, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_both, for_one = (
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
        kueue_cluster.make_check(),
    )
    rules = {for_both.name: [first, other], for_one.name: [first]}
    queue = kueue_cluster.make_queue([for_all, for_both, for_one], flavors=[first, other], cpu="0", on=rules)

    workload = queue.submit(cpu="3")

    within("settle", lambda: workload.lists_checks(for_all, for_both), clause="b")
    always(lambda: workload.lists_any_of(for_one).negate(), clause="a")
    queue.set_quotas("0", "5")
    within("reserve", lambda: workload.has_flavor(other), clause="c")
    always(lambda: workload.lists_checks(for_all, for_both), clause="b")
    [check.answer(workload, "Ready") for check in (for_all, for_both)]
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-009",
    "a Workload without requests is admitted without any check",
    requirement="docs-2024#checks-per-flavor",
    shows="SC-226 AC-352 R-09",
    since="0.7",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "it is admitted", "b": "no check is listed"},
)
def test_no_flavor_means_no_check(make_queue, form):
    queue = make_queue(checks=1)

    workload = queue.submit_without_requests(form)

    within("admit", workload.is_admitted, clause="a")
    within("settle", workload.lists_checks, clause="b")


@scenario(
    "ADM-227",
    "a pending Workload keeps the retryCount of a check of every flavor, and loses the check of one flavor",
    requirement="kep-993#retry-or-reject",
    shows="SC-227 AC-353 C-04",
    since="0.15",
    level="may",
    clauses={
        "a": "the check for every flavor keeps its count",
        "b": "the check of one flavor is no longer listed",
    },
)
def test_retry_count_of_per_flavor_checks(kueue_cluster, clock):
    first, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_one = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(
        [for_all, for_one], flavors=[first, other], cpu=("1", "0"), on={for_one.name: [first]}
    )
    workload = queue.submit_until("prechecked", cpu="1")
    rival = queue.submit(cpu="1")
    clock.tick()

    workload.set_verdicts({for_all: "Retry", for_one: "Retry"})
    within("evict", workload.was_released)

    within("requeue", lambda: workload.is_suspended() and rival.is_prechecked())
    within("settle", lambda: workload.has_retried(for_all, 1), clause="a")
    within("settle", lambda: workload.lists_any_of(for_one).negate(), clause="b")


@scenario(
    "ADM-303",
    "before a reservation only the checks that cover the flavors of every resource are listed",
    requirement="docs-2024#checks-per-flavor",
    shows="AC-350",
    since="0.7",
    also=("kep993",),
    cases=cross(group=(1, 2)),
    clauses={
        "a": "a check for one resource's flavors is not listed",
        "b": "one that names the flavors of both is",
    },
)
def test_pending_workload_of_several_resource_groups(kueue_cluster, group):
    cpu, other_cpu, memory = (kueue_cluster.make_flavor() for _ in range(3))
    for_each, for_group, for_all = (kueue_cluster.make_check() for _ in range(3))
    named = {1: [cpu, other_cpu], 2: [memory]}[group]
    queue = kueue_cluster.make_queue(
        [for_each, for_group, for_all],
        flavors=[cpu, other_cpu, memory],
        on={for_each.name: [cpu, other_cpu, memory], for_group.name: named},
        resourceGroups=[
            kueue_cluster.resource_group_of("cpu", cpu, other_cpu, amount="0"),
            kueue_cluster.resource_group_of("memory", memory, amount="0"),
        ],
    )

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", cpu="1", memory="1")])

    within("settle", lambda: workload.lists_checks(for_each, for_all), clause="b")
    always(lambda: workload.lists_any_of(for_group).negate(), clause="a")
    for_each.answer(workload, "Ready")
    for_all.answer(workload, "Ready")
    never(lambda: workload.was_ever("Admitted"), clause="a")


@scenario(
    "ADM-306",
    "a Workload that lost its reservation lists the checks of a pending Workload",
    requirement="docs-2024#checks-per-flavor",
    shows="AC-350 AC-353 AC-398 C-04",
    since="0.7",
    also=("kep993",),
    level="should",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "the check of the flavor is dropped, and that of all flavors keeps its state",
        "b": "it is undecided when it is listed again",
        "c": "and has to pass again",
    },
)
def test_list_after_a_reservation_was_lost(kueue_cluster, form):
    flavor, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_flavor, waiting = (kueue_cluster.make_check() for _ in range(3))
    checks, of_flavor = (for_all, for_flavor, waiting), (for_flavor, waiting)
    queue = kueue_cluster.make_queue(
        checks, flavors=[flavor, other], on={check.name: [flavor] for check in of_flavor}
    )
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.has_flavor(flavor) and workload.lists_checks(*checks))
    for_flavor.answer(workload, "Ready")
    for_all.answer(workload, "Ready", message=kueue_cluster.names.message())
    entries_before = workload.entry_of(for_all)

    queue.hold()
    within("evict", workload.is_suspended)
    within("settle", lambda: workload.lists_checks(for_all), clause="a")
    always(lambda: workload.entry_of(for_all) == entries_before, clause="a")
    queue.resume()

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*checks))
    always(lambda: workload.has_states("Pending", *of_flavor), clause="b")
    waiting.answer(workload, "Ready")
    always(workload.is_prechecked, clause="c")
    for_flavor.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-307",
    "the check list of an admitted Workload follows the checks of its flavors, and it stays admitted",
    requirement=("docs-2024#checks-per-flavor", "docs-2024#added-does-not-evict"),
    shows="AC-351 AC-376 AC-377",
    since="0.7",
    also=("kep993",),
    clauses={"a": "the check that became this flavor's is listed", "b": "it stays admitted"},
)
def test_list_of_an_admitted_workload_follows(kueue_cluster):
    flavor, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    check, moved = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue([check, moved], flavors=[flavor, other], on={moved.name: [other]})
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.has_flavor(flavor) and workload.lists_checks(check))
    check.answer(workload, "Ready")
    within("admit", workload.is_admitted)

    queue.set_checks(check, moved, on={moved.name: [flavor]})

    within("settle", lambda: workload.lists_checks(check, moved), clause="a")
    always(workload.is_admitted, clause="b")


@scenario(
    "ADM-701",
    "an evicted Workload does not list the checks of the flavor that it held",
    requirement=("docs-2024#checks-per-flavor", "docs-2024#list-in-sync"),
    shows="AC-350 AC-353 C-04",
    since="0.9",
    cases=pairwise(form=FORMS, cause=("retried", "stopped", "deactivated")),
    clauses={
        "a": "while it has no quota, only the check of all flavors is listed",
        "b": "on another flavor the checks of that one are, and they admit",
    },
)
def test_list_after_an_eviction(kueue_cluster, form, cause):
    reserved, other = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_held, for_other = (kueue_cluster.make_check() for _ in range(3))
    rules = {for_held.name: [reserved], for_other.name: [other]}
    queue = kueue_cluster.make_queue([for_all, for_held, for_other], flavors=[reserved, other], on=rules)
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.has_flavor(reserved) and workload.lists_checks(for_all, for_held))
    [check.answer(workload, "Ready") for check in (for_all, for_held)]
    within("admit", workload.is_admitted)
    queue.set_quotas("0", "0")

    evict, resume = {
        "retried": (lambda: for_held.answer(workload, "Retry"), workload.touch),
        "stopped": (queue.hold_and_drain, queue.resume),
        "deactivated": (workload.deactivate, workload.reactivate),
    }[cause]
    evict()

    within("evict", workload.is_suspended)
    within("settle", lambda: workload.lists_checks(for_all) and workload.has_states("Pending"), clause="a")
    resume()
    queue.set_quotas("0", "5")
    within(
        "requeue",
        lambda: workload.has_flavor(other) and workload.lists_checks(for_all, for_other),
        clause="b",
    )
    [check.answer(workload, "Ready") for check in (for_all, for_other)]
    within("admit", workload.is_admitted, clause="b")
