"""PRQ: atomic requests: all nodes in one step, or none (PR-150…176, PR-231)."""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)
TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}


@scenario(
    "PRQ-100",
    "a group is scaled up by all nodes that a request needs, in one step",
    requirement=("aep#conditions", "provisioning-request#atomic"),
    shows="PR-150 PR-152 PR-153 PR-231a CV-10",
    needs=GROUPS,
    cases=rows("pods nodes", (1, 1), (4, 1), (10, 3), (40, 10)),
    clauses={"a": "Provisioned", "b": "one call for all of them", "c": "they register"},
)
def test_grows(autoscaling, pods, nodes):
    group = autoscaling.make_group("ng-a", most=10, cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(pods, "atomic", cpu="1")

    within("answer", request.is_provisioned, clause="a")
    always(lambda: group.was_increased_by(nodes), clause="b")
    within("boot", lambda: group.has_nodes(nodes), clause="c")


@scenario(
    "PRQ-101",
    "a request for which nodes were requested has the recorded condition",
    requirement="provisioning-request#messages",
    shows="PR-078 PR-153",
    level="may",
    needs=GROUPS,
    clauses={"a": "the recorded reason and text", "b": "in the loop that asked"},
)
def test_text(autoscaling):
    group = autoscaling.make_group("ng-a", boots=600)
    autoscaling.start()

    request = autoscaling.make_request(10, "atomic", cpu="1")

    within("answer", lambda: request.shows_answer("made"), clause="a")
    within("answer", lambda: group.has_nodes(0) and group.has_target(3), clause="b")


@scenario(
    "PRQ-102",
    "pods that fit on existing Nodes need no new ones",
    requirement="provisioning-request#atomic",
    shows="PR-150 PR-231b",
    needs=GROUPS,
    clauses={"a": "Provisioned", "b": "one node more"},
    cases=rows("there pods more", (2, 10, 1), (1, 5, 1), (3, 16, 1)),
)
def test_partly_there(autoscaling, there, pods, more):
    group = autoscaling.make_group("ng-a", nodes=there, cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(pods, "atomic", cpu="1")

    within("answer", request.is_provisioned, clause="a")
    always(lambda: group.was_increased_by(more), clause="b")


@scenario(
    "PRQ-103",
    "a request whose pods all fit on existing Nodes scales up no group",
    requirement="provisioning-request#atomic",
    shows="PR-151 PR-231c CV-09",
    needs=GROUPS,
    clauses={"a": "Provisioned", "b": "no call"},
)
def test_all_there(autoscaling):
    group = autoscaling.make_group("ng-a", nodes=3, cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(12, "atomic", cpu="1")

    within("answer", request.is_provisioned, clause="a")
    always(group.was_increased_by, clause="b")


@scenario(
    "PRQ-104",
    "a check-capacity request scales up no group",
    requirement="provisioning-request#check-capacity",
    shows="PR-126 PR-230b",
    needs=GROUPS,
    clauses={"a": "short", "b": "no call", "c": "an atomic request grows the group"},
)
def test_check_grows_nothing(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    autoscaling.start()

    check = autoscaling.make_request(4, cpu="1")

    within("answer", check.is_out_of_capacity, clause="a")
    clock.advance(2 * autoscaling.times.first)
    always(group.was_increased_by, clause="b")
    within("answer", autoscaling.make_request(4, "atomic", cpu="1").is_provisioned)
    within("answer", lambda: group.was_increased_by(1), clause="c")


@scenario(
    "PRQ-105",
    "a request that no single group can hold gets no nodes",
    requirement=("provisioning-request#all-or-nothing", "aep#conditions"),
    shows="PR-174 PR-167 PR-233h CV-11",
    needs=GROUPS,
    clauses={
        "a": "no capacity",
        "b": "no group is scaled up",
        "c": "a request that one group can hold is Provisioned",
    },
    cases=rows("why", ("too large together",), ("one pod too large",), ("different nodes",)),
)
def test_no_part(autoscaling, clock, why):
    groups = [
        autoscaling.make_group("ng-a", most=2, labels={"pool": "a"}),
        autoscaling.make_group("ng-b", most=2, labels={"pool": "b"}),
    ]
    autoscaling.start()
    sets = {
        "too large together": [(autoscaling.make_template(cpu="2"), 5)],
        "one pod too large": [
            (autoscaling.make_template(cpu="1"), 3),
            (autoscaling.make_template(cpu="5"), 1),
        ],
        "different nodes": [(autoscaling.make_template(nodeSelector={"pool": pool}), 1) for pool in "ab"],
    }[why]

    request = autoscaling.make_request(sets, "atomic")

    within("answer", request.is_out_of_capacity, clause="a")
    clock.advance(2 * autoscaling.times.first)
    always(lambda: groups[0].was_increased_by() and groups[1].was_increased_by(), clause="b")
    within("answer", autoscaling.make_request(4, "atomic", cpu="2").is_provisioned, clause="c")


@scenario(
    "PRQ-106",
    "a group whose nodes do not suit the pods is not scaled up for them",
    requirement=("provisioning-request#placing", "provisioning-request#all-or-nothing"),
    shows="PR-165 PR-331 CV-11",
    needs=GROUPS,
    clauses={"a": "no capacity, and no node requested", "b": "pods that can use it get it"},
    cases=rows("why", ("selector",), ("taint",), ("cpu",), ("memory",)),
)
def test_predicates(autoscaling, why):
    shape, wrong, right = {
        "selector": (
            {"labels": {"pool": "a"}},
            {"nodeSelector": {"pool": "b"}},
            {"nodeSelector": {"pool": "a"}},
        ),
        "taint": ({"taints": (TAINT,)}, {}, {"tolerations": [{"operator": "Exists"}]}),
        "cpu": ({}, {"cpu": "4100m"}, {"cpu": "4"}),
        "memory": ({}, {"memory": "17Gi"}, {"memory": "16Gi"}),
    }[why]
    group = autoscaling.make_group("ng-a", **shape)
    autoscaling.start()

    request = autoscaling.make_request(1, "atomic", **wrong)

    within("answer", lambda: request.is_out_of_capacity() and group.was_increased_by(), clause="a")
    within("answer", autoscaling.make_request(1, "atomic", **right).is_provisioned)
    within("answer", lambda: group.was_increased_by(1), clause="b")


@scenario(
    "PRQ-107",
    "the number of new nodes is that of packing the largest pods first",
    requirement="provisioning-request#packing",
    shows="PR-333 PR-334 PR-340 PR-341 PR-343 PR-344",
    needs=GROUPS,
    level="should",
    clauses={"a": "Provisioned", "b": "by so many nodes"},
    cases=rows(
        "packing sets cpu memory pods nodes",
        ("PR-340", "5x1500m/1Gi 6x1000m/2Gi", "4", "16Gi", 110, 4),
        ("PR-341", "3x1000m/1Gi 2x3000m/4Gi", "4", "8Gi", 110, 3),
        ("PR-343", "7x1000m/1Gi", "8", "64Gi", 3, 3),
        ("PR-344", "4x500m/3Gi 4x500m/1Gi", "2", "8Gi", 110, 2),
    ),
)
def test_packing(autoscaling, packing, sets, cpu, memory, pods, nodes):
    group = autoscaling.make_group("ng-a", cpu=cpu, memory=memory, pods=pods)
    autoscaling.start()
    pod_sets = []
    for word in sets.split():
        count, _, amounts = word.partition("x")
        pod_sets.append((autoscaling.make_template(*amounts.split("/")), int(count)))

    within("answer", autoscaling.make_request(pod_sets, "atomic").is_provisioned, clause="a")

    always(lambda: group.was_increased_by(nodes), clause="b")


@scenario(
    "PRQ-108",
    "a pending request gets its nodes when its group may be scaled up again",
    requirement=("provisioning-request#retry", "provisioning-request#limits"),
    shows="PR-233g PR-096",
    needs=GROUPS,
    clauses={"a": "short", "b": "Provisioned with the next attempt", "c": "all in one step"},
)
def test_limit_raised(autoscaling):
    group = autoscaling.make_group("ng-a", most=10)
    autoscaling.start()
    request = autoscaling.make_request(41, "atomic", cpu="1")
    within("answer", request.is_out_of_capacity, clause="a")

    group.set_max_size(20)

    within("attempt", request.is_provisioned, clause="b")
    always(lambda: group.was_increased_by(11), clause="c")


@scenario(
    "PRQ-109",
    "upcoming nodes count: pods that fit there scale up no group again",
    requirement="provisioning-request#atomic",
    shows="PR-114 PR-231j PR-323",
    needs=GROUPS,
    clauses={"a": "the first", "b": "the second is found a place", "c": "one call"},
    cases=rows("kind", ("check",), ("atomic",)),
)
def test_upcoming(autoscaling, kind):
    group = autoscaling.make_group("ng-a", cpu="4", boots=600)
    autoscaling.start()
    within("answer", autoscaling.make_request(2, "atomic", cpu="1").is_provisioned, clause="a")

    within("answer", autoscaling.make_request(2, kind, cpu="1").is_provisioned, clause="b")

    always(lambda: group.was_increased_by(1), clause="c")


@scenario(
    "PRQ-110",
    "capacity that was added for one request is not used for another",
    requirement=("provisioning-request#booking", "provisioning-request#atomic"),
    shows="PR-380 PR-114",
    needs=GROUPS,
    clauses={"a": "both are Provisioned", "b": "each by nodes of its own"},
)
def test_two_requests(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()

    requests = [autoscaling.make_request(4, "atomic", cpu="1") for _ in range(2)]

    within("attempt", lambda: autoscaling.has_provisioned(requests, 2), clause="a")
    always(lambda: group.was_increased_by(1, 1), clause="b")


@scenario(
    "PRQ-111",
    "each scale-up is for one request",
    requirement="provisioning-request#order",
    shows="PR-155 PR-234c PR-120",
    needs=GROUPS,
    clauses={"a": "all are Provisioned", "b": "one call for each"},
)
def test_many(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4", most=30)
    autoscaling.start()

    requests = [autoscaling.make_request(4, "atomic", cpu="1") for _ in range(10)]

    within("attempt", lambda: autoscaling.has_provisioned(requests, 10), clause="a")
    always(lambda: group.was_increased_by(*[1] * 10), clause="b")


@scenario(
    "PRQ-112",
    "a placeholder pod of a request has an event about the scale-up",
    requirement="provisioning-request#events",
    shows="PR-189 PR-130 PR-131",
    level="may",
    needs=GROUPS,
    clauses={"a": "grown", "b": "or why not"},
    cases=rows("most", (10,), (1,)),
)
def test_events(autoscaling, most):
    autoscaling.make_group("ng-a", cpu="4", most=most)
    autoscaling.start()

    request = autoscaling.make_request(8 if most > 1 else 1, "atomic", cpu="1" if most > 1 else "5")

    if most > 1:
        message = "pod triggered scale-up: [{ng-a 0->2 (max: 10)}]"
        within("answer", lambda: request.has_placeholder_event("TriggeredScaleUp", message), clause="a")
    else:
        message = "pod didn't trigger scale-up: 1 Insufficient cpu"
        within("answer", lambda: request.has_placeholder_event("NotTriggerScaleUp", message), clause="b")


@scenario(
    "PRQ-113",
    "a request of very many pods is handled, at the limit of what one step may do",
    requirement=("provisioning-request#packing", "provisioning-request#limits"),
    shows="PR-234d PR-345 PR-166",
    needs=(*GROUPS, "virtual time"),
    clauses={"a": "one more is refused", "b": "so many are provided", "c": "in one step"},
)
def test_boundary(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4", most=50)
    autoscaling.start(max_nodes_per_scaleup=40)

    within("answer", autoscaling.make_request(641, "atomic", cpu="250m").is_out_of_capacity, clause="a")

    within("answer", autoscaling.make_request(640, "atomic", cpu="250m").is_provisioned, clause="b")
    always(lambda: group.was_increased_by(40), clause="c")
