"""ADM: checks that are for some flavors only
(documentation, "Checks per flavor"; AC-350…353, AC-384, C-04).
"""

from kueue_conformance import always, cross, never, pairwise, rows, scenario, within

FORMS = ("workload", "job")
PER_FLAVOR = ("docs-2024#checks-per-flavor", "kep-993#every-check-required")


def each_answers_in_turn(workload, checks, last):
    """Have every check pass, the one at the place `last` at the end; nothing is admitted before."""
    waiting = checks[last - 1]
    for check in checks:
        if check is not waiting:
            check.answer(workload, "Ready")
            always(workload.is_prechecked, clause="b")
    waiting.answer(workload, "Ready")


@scenario(
    "ADM-300",
    "a check that only the assigned flavor needs holds admission back before it is listed",
    requirement=PER_FLAVOR,
    shows="AC-384 AC-351 AC-283 AC-379",
    since="0.7",
    also=("kep993",),
    cases=cross(passed=(0, 1, 2), form=FORMS),
    clauses={
        "a": "it is reserved, and not admitted",
        "b": "the check is listed then",
        "c": "it is admitted when the check passes",
    },
)
def test_check_that_is_not_listed_yet(kueue_cluster, passed, form):
    cheap, dear = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_cheap = [kueue_cluster.make_check() for _ in range(passed)], kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(
        [*for_all, for_cheap], flavors=[cheap, dear], cpu="0", on={for_cheap.name: [cheap]}
    )
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*for_all))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    [check.answer(workload, "Ready") for check in for_all]

    queue.set_quota("5")

    within("reserve", lambda: workload.is_prechecked() and workload.has_flavor(cheap), clause="a")
    within("settle", lambda: workload.lists_checks(*for_all, for_cheap), clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="a")
    for_cheap.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-301",
    "the checks of every resource's flavor are required",
    requirement=PER_FLAVOR,
    shows="AC-351 AC-357 SC-003",
    since="0.7",
    also=("kep993",),
    cases=cross(last=(1, 2, 3)),
    clauses={
        "a": "those of each group's flavor, and of all flavors",
        "b": "each holds admission back",
        "c": "admitted by the last",
    },
)
def test_checks_of_several_resource_groups(kueue_cluster, last):
    cpu, other_cpu, memory, other_memory = (kueue_cluster.make_flavor() for _ in range(4))
    for_all, for_cpu, for_memory, for_none = (kueue_cluster.make_check() for _ in range(4))
    rules = {for_cpu.name: [cpu], for_memory.name: [memory], for_none.name: [other_cpu, other_memory]}
    queue = kueue_cluster.make_queue(
        [for_all, for_cpu, for_memory, for_none],
        flavors=[cpu, other_cpu, memory, other_memory],
        on=rules,
        resourceGroups=[
            kueue_cluster.resource_group_of("cpu", cpu, other_cpu),
            kueue_cluster.resource_group_of("memory", memory, other_memory),
        ],
    )

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", cpu="1", memory="1")])

    within("reserve", workload.is_prechecked, clause="a")
    within("settle", lambda: workload.lists_checks(for_all, for_cpu, for_memory), clause="a")
    each_answers_in_turn(workload, (for_all, for_cpu, for_memory), last)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-302",
    "the checks of every podSet's flavor are required",
    requirement=PER_FLAVOR,
    shows="AC-351 AC-357",
    since="0.7",
    also=("kep993",),
    cases=cross(last=(1, 2, 3)),
    clauses={
        "a": "those of each podSet's flavor",
        "b": "each holds admission back",
        "c": "admitted by the last",
    },
)
def test_checks_of_several_pod_sets(kueue_cluster, last):
    flavors = [kueue_cluster.make_flavor() for _ in range(4)]
    checks = [kueue_cluster.make_check() for _ in range(4)]
    *assigned, unused = flavors
    rules = {check.name: [flavor] for check, flavor in zip(checks, flavors, strict=True)}
    queue = kueue_cluster.make_queue(checks, flavors=flavors, on=rules)
    driver, worker, extra = assigned

    workload = queue.submit(
        podSets=[
            kueue_cluster.pod_set("driver", on=driver, cpu="1"),
            kueue_cluster.pod_set("worker", on=worker, cpu="1"),
            kueue_cluster.pod_set("extra", on=extra, cpu="1"),
        ]
    )

    within("reserve", workload.is_prechecked, clause="a")
    within("settle", lambda: workload.lists_checks(*checks[:-1]), clause="a")
    each_answers_in_turn(workload, checks[:-1], last)
    within("admit", lambda: workload.is_admitted() and workload.has_flavor(unused).negate(), clause="c")


@scenario(
    "ADM-304",
    "a check that names several flavors is required on each of them, and on no other",
    requirement=PER_FLAVOR,
    shows="AC-351 AC-385",
    since="0.7",
    also=("kep993",),
    cases=cross(place=(1, 2, 3), form=FORMS).also_drawn(place=2),
    clauses={
        "a": "on a flavor that it names the check is listed",
        "b": "it holds admission back",
        "c": "then admitted",
        "d": "on another it is not listed",
    },
)
def test_check_of_several_flavors(kueue_cluster, place, form):
    flavors = [kueue_cluster.make_flavor() for _ in range(4)]
    *named, spare = flavors
    chosen = named[place - 1]
    check, other = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(
        [check, other], flavors=flavors, on={check.name: named, other.name: [spare]}
    )

    workload = queue.submit(form, cpu="1", template={"nodeSelector": kueue_cluster.node_selector(chosen)})
    without = queue.submit(form, cpu="1", template={"nodeSelector": kueue_cluster.node_selector(spare)})

    within("reserve", lambda: workload.has_flavor(chosen) and without.has_flavor(spare))
    within("settle", lambda: workload.lists_checks(check), clause="a")
    within("settle", lambda: without.lists_checks(other), clause="d")
    always(workload.is_prechecked, clause="b")
    check.answer(workload, "Ready")
    other.answer(without, "Ready")
    within("admit", workload.is_admitted, clause="c")
    within("admit", without.is_admitted, clause="c")


@scenario(
    "ADM-305",
    "a check of a flavor is not required when the Workload requests none of its resources",
    requirement="docs-2024#checks-per-flavor",
    shows="AC-351 AC-352",
    since="0.7",
    also=("kep993",),
    cases=cross(asks=("cpu", "memory")),
    clauses={"a": "only those of the assigned flavor and of all flavors", "b": "they admit"},
)
def test_resource_that_nothing_is_asked_of(kueue_cluster, asks):
    cpu, memory = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    for_all, for_cpu, for_memory = (kueue_cluster.make_check() for _ in range(3))
    queue = kueue_cluster.make_queue(
        [for_all, for_cpu, for_memory],
        flavors=[cpu, memory],
        on={for_cpu.name: [cpu], for_memory.name: [memory]},
        resourceGroups=[
            kueue_cluster.resource_group_of("cpu", cpu),
            kueue_cluster.resource_group_of("memory", memory),
        ],
    )
    needed = (for_all, {"cpu": for_cpu, "memory": for_memory}[asks])

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", **{asks: "1"})])

    within("reserve", workload.is_prechecked)
    within("settle", lambda: workload.lists_checks(*needed), clause="a")
    always(workload.is_prechecked, clause="a")
    [check.answer(workload, "Ready") for check in needed]
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-308",
    "on another flavor other checks are required",
    requirement=PER_FLAVOR,
    shows="AC-351 AC-353 AC-384",
    since="0.7",
    cases=pairwise(form=FORMS),
    clauses={
        "a": "the first flavor's check answers Retry: the second flavor",
        "b": "its check is listed, and not the first one's",
        "c": "it holds back",
        "d": "then admitted",
    },
)
def test_checks_of_the_next_flavor(kueue_cluster, form):
    flavors = [kueue_cluster.make_flavor(), kueue_cluster.make_flavor()]
    first, second = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue(
        [first, second], flavors=flavors, on={first.name: [flavors[0]], second.name: [flavors[1]]}
    )
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.has_flavor(flavors[0]) and workload.lists_checks(first))
    queue.set_quotas("0", "5")

    first.answer(workload, "Retry")

    within("requeue", lambda: workload.has_flavor(flavors[1]), clause="a")
    within("settle", lambda: workload.lists_checks(second), clause="b")
    never(lambda: workload.was_ever("Admitted"), clause="c")
    second.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "ADM-309",
    "a check that names several flavors is required on each of them, in any order",
    requirement="docs-2024#checks-per-flavor",
    shows="AC-350 AC-351",
    since="0.7",
    also=("kep993",),
    cases=rows("missing", (1,), (2,), (3,)).also_drawn(missing=2),
    clauses={"a": "a check that misses one flavor is not for all", "b": "it is that of the others"},
)
def test_check_that_misses_one_flavor(kueue_cluster, missing):
    flavors = [kueue_cluster.make_flavor() for _ in range(3)]
    missed = flavors[missing - 1]
    named = [flavor for flavor in flavors if flavor != missed]
    check, for_all = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = kueue_cluster.make_queue([check, for_all], flavors=flavors, cpu="0", on={check.name: named})
    workload = queue.submit(cpu="1", template={"nodeSelector": kueue_cluster.node_selector(missed)})
    other = queue.submit(cpu="1", template={"nodeSelector": kueue_cluster.node_selector(named[-1])})
    within("settle", lambda: workload.lists_checks(for_all), clause="a")
    within("settle", lambda: other.lists_checks(for_all), clause="a")

    queue.set_quota("5")

    within("reserve", lambda: workload.is_prechecked() and other.is_prechecked())
    within("settle", lambda: other.lists_checks(check, for_all), clause="b")
    always(lambda: workload.lists_checks(for_all), clause="a")
    for_all.answer(workload, "Ready")
    for_all.answer(other, "Ready")
    within("admit", workload.is_admitted, clause="a")
    always(other.is_prechecked, clause="b")


@scenario(
    "ADM-390",
    "a check of the assigned flavor that is not listed yet holds the admission back",
    requirement="docs-2024#checks-per-flavor",
    shows="AC-384 AC-351 AC-353",
    since="0.9",
    also=("kep993",),
    clauses={
        "a": "reserved, with the check listed",
        "b": "it is not admitted",
        "c": "it is when the check has passed",
    },
)
def test_unlisted_check_of_a_flavor(kueue_cluster):
    checks = [kueue_cluster.make_check(), kueue_cluster.make_check()]
    flavors = [kueue_cluster.make_flavor(), kueue_cluster.make_flavor()]
    queue = kueue_cluster.make_queue(checks, flavors=flavors, cpu="0", on={checks[1].name: [flavors[0]]})
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(checks[0]))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    checks[0].answer(workload, "Ready")

    queue.set_quota("1")

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*checks), clause="a")
    always(lambda: workload.was_ever("Admitted").negate(), clause="b")
    checks[1].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")
