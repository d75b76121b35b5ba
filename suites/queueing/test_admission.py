"""QUE: what gets quota, and what has to wait for it (Q-060…Q-067, Q-140…Q-147, Q-150…Q-177, Q-210…Q-215)."""

from kueue_conformance import always, cross, rows, scenario, within

SPOT = {"nodeTaints": [{"key": "instance", "value": "spot", "effect": "NoSchedule"}]}
TOLERATES = {"key": "instance", "operator": "Equal", "value": "spot", "effect": "NoSchedule"}


def pods(cpu="1", **spec):
    """Return the one pod set of a Workload, whose pods have more fields."""
    container = {
        "name": "main",
        "image": "registry.k8s.io/pause:3.10",
        "resources": {"requests": {"cpu": cpu}},
    }
    return [
        {
            "name": "main",
            "count": 1,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container], **spec}},
        }
    ]


@scenario(
    "QUE-004",
    "quota is reserved flavor by flavor, released at the end, and counted all the time",
    requirement=("kueue-docs#quota", "kueue-docs#flavors-in-order", "queueing#status"),
    shows="S-001 S-005 S-015 Q-158 Q-176 Q-370 Q-371 Q-372",
    clauses={
        "a": "a tainted flavor is passed over",
        "b": "a Workload that does not fit stays pending and is counted",
        "c": "no pods need no quota",
        "d": "another queue has its own flavor",
        "e": "a pending Workload is admitted when the first ends",
    },
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_first_scenario(kueue_cluster):
    queues = kueue_cluster.make_topology(
        "all { prod tainted:5 borrows<=5 demand:5 }, dev plain:5 demand:5", flavors={"tainted": SPOT}
    )
    prod = queues["prod"]

    first = queues.submit("prod: first(0)2")
    within("admit", lambda: first.is_admitted() and queues.has_flavors("first", "demand"), clause="a")
    second = queues.submit("prod: second(0)5")
    within(
        "settle",
        lambda: (
            second.has_condition("QuotaReserved", "False")
            and prod.shows_counts(pending=1, reserving=1, admitted=1)
        ),
        clause="b",
    )
    always(second.is_suspended, clause="b")
    nothing = queues.submit("prod: nothing(0)0x1")
    within(
        "admit",
        lambda: nothing.is_admitted() and prod.shows_counts(pending=1, reserving=2, admitted=2),
        clause="c",
    )
    other = queues.submit("dev: other(0)5")
    within("admit", lambda: other.is_admitted() and queues.has_flavors("other", "plain"), clause="d")
    first.finish()

    within("admit", lambda: second.is_admitted() and queues.has_flavors("second", "demand"), clause="e")
    within("settle", lambda: prod.shows_counts(pending=0, reserving=2, admitted=2), clause="e")


@scenario(
    "QUE-007",
    "a flavor serves Workloads that tolerate its taints and match its labels",
    requirement="kueue-docs#flavors-in-order",
    shows="S-024 S-025 Q-158 Q-159",
    clauses={
        "a": "one that tolerates it takes the tainted flavor",
        "b": "one that does not the next",
        "c": "a label that no flavor has does not matter",
    },
)
def test_taints_and_labels(kueue_cluster):
    queues = kueue_cluster.make_topology("q tainted:5 plain:5", flavors={"tainted": SPOT})
    queue = queues["q"]

    tolerant = queue.submit(podSets=pods("5", tolerations=[TOLERATES]))
    within(
        "admit",
        lambda: tolerant.is_admitted() and tolerant.has_flavor(queues.flavors["tainted"]),
        clause="a",
    )
    plain = queue.submit(podSets=pods("1"))
    within("admit", lambda: plain.is_admitted() and plain.has_flavor(queues.flavors["plain"]), clause="b")
    foreign = queue.submit(podSets=pods("1", nodeSelector={"example.com/foo": "bar"}))
    within("admit", lambda: foreign.is_admitted() and foreign.has_flavor(queues.flavors["plain"]), clause="c")


@scenario(
    "QUE-008",
    "a strict queue is not held up by a Workload of a namespace that it does not select",
    requirement=("kueue-docs#namespace-selector", "kueue-docs#strict-fifo"),
    shows="S-026 S-042 Q-065 Q-214",
    clauses={
        "a": "it waits",
        "b": "the Workload behind it is admitted",
        "c": "it is admitted when its namespace is selected",
    },
)
def test_foreign_namespace(kueue_cluster):
    team = {"example.com/team": kueue_cluster.namespace}
    queues = kueue_cluster.make_topology("q 5 StrictFIFO", namespaceSelector={"matchLabels": team})
    first = queues.submit("q: first(10)2")
    within("settle", lambda: first.has_condition("QuotaReserved", "False"), clause="a")
    queue = kueue_cluster.make_local_queue_in_other_namespace(queues["q"])
    foreign = queue.submit(cpu="5", priority=5)
    within("settle", lambda: foreign.has_condition("QuotaReserved", "False"), clause="a")

    kueue_cluster.label_namespace(team)

    within("admit", first.is_admitted, clause="c")
    behind = queues.submit("q: behind(1)1")
    within("admit", behind.is_admitted, clause="b")
    always(foreign.is_suspended, clause="a")


ORDERS = {
    "flavor last": "local workload cluster flavor",
    "cluster queue last": "workload local flavor cluster",
    "local queue last": "workload flavor cluster local",
    "workload last": "flavor cluster local workload",
}


@scenario(
    "QUE-009",
    "a Workload gets quota in whatever order its objects are created",
    requirement="kueue-docs#any-order",
    shows="S-022 S-027 S-028 S-029 S-030 Q-062 Q-064 Q-145 Q-156",
    cases=cross(order=tuple(ORDERS)),
    clauses={"a": "it waits while something is missing", "b": "it is admitted when all objects exist"},
)
def test_order_of_making(kueue_cluster, order):
    prerequisites = kueue_cluster.prerequisites()
    *before, last = ORDERS[order].split()
    for kind in before:
        prerequisites.make(kind)
    if "workload" in before:
        always(prerequisites.workload.is_suspended, clause="a")

    prerequisites.make(last)

    within("admit", prerequisites.workload.is_admitted, clause="b")


@scenario(
    "QUE-015",
    "quota that was borrowed from a queue cannot be borrowed again when the queue is deleted",
    requirement=("kueue-docs#borrowing", "kueue-docs#quota"),
    shows="S-049c S-034 Q-132 Q-147",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "its quota is lent while the queue exists",
        "b": "afterwards a Workload that would borrow it stays pending",
        "c": "a Workload that fits otherwise is admitted",
    },
)
def test_lender_is_deleted(kueue_cluster):
    queues = kueue_cluster.make_topology("all { lender 8, q 1 }")
    queues.submit_in_turn("q: first(0)8")
    within("settle", lambda: queues["q"].shows_borrowed("flavorsReservation", "7"), clause="a")
    queues.delete_workloads("first")

    queues["lender"].delete()
    within("settle", queues["lender"].is_gone)
    second = queues.submit("q: second(0)8")

    within("settle", lambda: second.has_condition("QuotaReserved", "False"), clause="b")
    always(second.is_suspended, clause="b")
    within("admit", queues.submit("q: third(0)1").is_admitted, clause="c")


@scenario(
    "QUE-016",
    "a queue under deletion keeps its Workloads, and admits no more",
    requirement=("kueue-docs#quota", "queueing#status"),
    shows="S-034 Q-147 M-002",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "admitted Workloads stay admitted",
        "b": "later Workloads stay pending",
        "c": "it is removed when the last has ended",
    },
)
def test_queue_is_being_deleted(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2")
    queues.submit_in_turn("q: running(0)1")

    queues["q"].delete()
    within("settle", lambda: queues["q"].is_inactive("Terminating"))
    late = queues.submit("q: late(0)1")

    always(late.is_suspended, clause="b")
    always(lambda: queues.has_reserved("running"), clause="a")
    queues.delete_workloads("running")
    within("settle", queues["q"].is_gone, clause="c")


@scenario(
    "QUE-017",
    "equal Workloads that do not fit hold up none that fits, however many there are",
    requirement="kueue-docs#best-effort-fifo",
    shows="S-090 Q-009 Q-034 Q-045",
    clauses={"a": "the small one is admitted", "b": "the others are counted as pending"},
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_many_equals(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2")
    for _ in range(10):
        queues["q"].submit(cpu="10")
    within("settle", lambda: queues["q"].shows_counts(pending=10))

    small = queues.submit("q: small(0)1")

    within("admit", small.is_admitted, clause="a")
    within("settle", lambda: queues["q"].shows_counts(pending=10, reserving=1), clause="b")


@scenario(
    "QUE-018",
    "the number of pods counts where a queue has quota for the resource pods",
    requirement=("kueue-docs#resources", "kueue-docs#resource-groups"),
    shows="S-002 S-003 Q-084",
    revision=2,
    cases=rows(
        "example queues", ("with cpu", "q cpu/default:100 pods/default:5"), ("alone", "q pods/default:5")
    ),
    clauses={
        "a": "as many as there is quota for",
        "b": "more wait",
        "c": "until others have ended",
        "d": "pods are assigned beside the other requested resources",
    },
)
def test_quota_of_pods(kueue_cluster, example, queues):
    queues = kueue_cluster.make_topology(queues)
    cpu, usage = {"with cpu": ("2", {"cpu": "6", "pods": "3"}), "alone": ("", {"pods": "3"})}[example]
    queue = queues["q"]
    three = queue.submit(cpu=cpu, count=3)
    within("admit", three.is_admitted, clause="a")
    flavors = dict.fromkeys(usage, queues.flavors["default"])
    within(
        "settle",
        lambda: three.has_admission(queue, main={"flavors": flavors, "resourceUsage": usage, "count": 3}),
        clause="d",
    )
    larger = queue.submit(cpu=cpu, count=3)
    within("settle", lambda: larger.has_condition("QuotaReserved", "False"), clause="b")
    two = queue.submit(cpu=cpu, count=2)
    within("admit", two.is_admitted, clause="a")
    always(larger.is_suspended, clause="b")

    three.finish()

    within("admit", larger.is_admitted, clause="c")


@scenario(
    "QUE-019",
    "a resource with a request of zero needs no quota",
    requirement="kueue-docs#resource-groups",
    shows="S-013 S-023 Q-086 Q-151 Q-177",
    clauses={"a": "it is admitted, by borrowing", "b": "and that resource is not mentioned"},
)
def test_nothing_of_a_resource(kueue_cluster):
    queues = kueue_cluster.make_topology("all { q 0, other 10 }")
    workload = queues.submit("q: w(0)5,memory=0")

    within("admit", workload.is_admitted, clause="a")
    default = queues.flavors["default"]
    within(
        "settle",
        lambda: workload.has_admission(
            queues["q"], main={"flavors": {"cpu": default}, "resourceUsage": {"cpu": "5"}}
        ),
        clause="b",
    )


@scenario(
    "QUE-286",
    "each resource group has flavors of its own, and every resource of a group gets the same one",
    requirement="kueue-docs#resource-groups",
    shows="Q-151 Q-152 Q-161",
    clauses={"a": "it is admitted", "b": "all that it asks for has the flavor of its group"},
)
def test_two_groups_of_resources(kueue_cluster):
    queues = kueue_cluster.make_topology("q ephemeral-storage/big:4Gi memory/big:4Gi fast:3")
    workload = queues.submit("q: w(0)2,ephemeral-storage=1Gi,memory=2Gi")

    within("admit", workload.is_admitted, clause="a")
    big, fast = queues.flavors["big"], queues.flavors["fast"]
    main = {
        "flavors": {"cpu": fast, "ephemeral-storage": big, "memory": big},
        "resourceUsage": {"cpu": "2", "ephemeral-storage": "1Gi", "memory": "2Gi"},
    }
    within("settle", lambda: workload.has_admission(queues["q"], main=main), clause="b")


@scenario(
    "QUE-020",
    "Workloads that exceed a lowered quota stay, and no other Workload gets quota beyond it",
    requirement="kueue-docs#quota",
    shows="S-049d G-T14 Q-130 Q-132",
    since="0.19",
    also=("kep993",),
    clauses={
        "a": "admitted Workloads stay admitted",
        "b": "a Workload that needs missing quota stays pending",
        "c": "until enough is released",
    },
)
def test_quota_is_taken_away(kueue_cluster):
    queues = kueue_cluster.make_topology("all { one 1, other 1 }")
    queues.submit_in_turn("one: over(0)2")

    queues["one"].set_quota("0")
    new = queues.submit("other: new(0)1")

    within("settle", lambda: new.has_condition("QuotaReserved", "False"), clause="b")
    always(lambda: queues.has_reserved("over"), clause="a")
    queues.delete_workloads("over")
    within("admit", new.is_admitted, clause="c")
