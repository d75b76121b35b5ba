"""PRQ: which group grows, and how groups that are alike share (PR-174…176, PR-346…353)."""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)


@scenario(
    "PRQ-140",
    "the expander chooses among the groups that fit",
    requirement="provisioning-request#choice",
    shows="PR-175 PR-348 PR-231d",
    needs=GROUPS,
    level="should",
    clauses={"a": "one of them grows", "b": "the one that the expander names"},
    cases=rows(
        "expander small large chosen",
        ("least-waste", "2/4Gi", "8/32Gi", "small"),
        ("least-waste", "6/6Gi", "8/32Gi", "small"),
        ("least-nodes", "2/4Gi", "8/32Gi", "large"),
        ("least-nodes", "4/16Gi", "8/32Gi", "large"),
    ),
)
def test_expander(autoscaling, expander, small, large, chosen):
    groups_by_name = {}
    for name, shape in (("small", small), ("large", large)):
        cpu, memory = shape.split("/")
        groups_by_name[name] = autoscaling.make_group(f"ng-{name}", cpu=cpu, memory=memory)
    autoscaling.start(expander=expander)

    within("answer", autoscaling.make_request(6, "atomic", cpu="1", memory="1Gi").is_provisioned)

    within("answer", lambda: groups_by_name["small"].target + groups_by_name["large"].target > 0, clause="a")
    other = groups_by_name["large" if chosen == "small" else "small"]
    always(lambda: len(groups_by_name[chosen].increases()) == 1 and other.was_increased_by(), clause="b")


@scenario(
    "PRQ-141",
    "similar groups share the nodes of a request, the smallest first",
    requirement="provisioning-request#choice",
    shows="PR-350 PR-349 PR-174 PR-175",
    needs=GROUPS,
    level="should",
    revision=2,
    clauses={"a": "Provisioned", "b": "so large, whichever of two that are alike is first"},
    cases=rows(
        "sizes pods grown", ("0,0", 16, "2,2"), ("2,0", 16, "2,2"), ("2,0,5", 48, "5,5,5"), ("0,0", 12, "2,1")
    ),
)
def test_balancing(autoscaling, sizes, pods, grown):
    groups = [
        autoscaling.make_group(f"ng-{letter}", nodes=int(size), most=6, cpu="4")
        for letter, size in zip("abc", sizes.split(","), strict=False)
    ]
    autoscaling.start(balance_similar_node_groups=True)
    there = sum(map(int, sizes.split(",")))
    if there:
        within("answer", autoscaling.make_request(4 * there, cpu="1").is_provisioned)
    additional = sum(map(int, grown.split(","))) - there

    within("answer", autoscaling.make_request(4 * additional, "atomic", cpu="1").is_provisioned, clause="a")

    assert pods >= 4 * additional, "b: no more pods than the case says"
    expected = sorted(int(word) for word in grown.split(","))
    always(lambda: sorted(group.target for group in groups) == expected, clause="b")


@scenario(
    "PRQ-142",
    "groups that are not similar do not share",
    requirement="provisioning-request#choice",
    shows="PR-349 PR-174",
    needs=GROUPS,
    clauses={"a": "one of them grows by all", "b": "and what only both could hold is not provided"},
    cases=rows("other", ("labels",), ("cpu",), ("memory",)),
)
def test_not_alike(autoscaling, other):
    shape = {"labels": {"labels": {"pool": "b"}}, "cpu": {"cpu": "5"}, "memory": {"memory": "20Gi"}}[other]
    groups = [
        autoscaling.make_group("ng-a", most=3, cpu="4"),
        autoscaling.make_group("ng-b", most=3, **{"cpu": "4", **shape}),
    ]
    autoscaling.start(balance_similar_node_groups=True)

    within(
        "answer",
        autoscaling.make_request(16, "atomic", cpu="1", memory="100Mi").is_out_of_capacity,
        clause="b",
    )

    within("answer", autoscaling.make_request(8, "atomic", cpu="1", memory="100Mi").is_provisioned)
    always(lambda: sorted(len(group.increases()) for group in groups) == [0, 1], clause="a")


@scenario(
    "PRQ-143",
    "when one of the groups that share is refused the others keep their new sizes, and count",
    requirement=("provisioning-request#choice", "provisioning-request#cloud-failures"),
    shows="PR-176 CV-24",
    needs=GROUPS,
    level="should",
    clauses={"a": "short", "b": "created machines stay", "c": "the next attempt counts it"},
)
def test_partial_failure(autoscaling, clock):
    groups = [autoscaling.make_group(name, most=6, cpu="4") for name in ("ng-a", "ng-b")]
    groups[1].fail_calls("rejects", times=1)
    autoscaling.start(balance_similar_node_groups=True, initial_node_group_backoff_duration="10s")
    request = autoscaling.make_request(16, "atomic", cpu="1")

    within("answer", request.is_out_of_capacity, clause="a")
    machine_count = groups[0].target + groups[1].target
    assert machine_count in (0, 2), "b: one group or the other was first"
    within("attempt", request.is_provisioned, clause="c")
    within("answer", lambda: groups[0].target + groups[1].target == 4, clause="b")


@scenario(
    "PRQ-144",
    "a group in back-off is passed over for another that fits",
    requirement=("provisioning-request#choice", "provisioning-request#cloud-failures"),
    shows="PR-161 PR-346",
    since="1.32",
    needs=GROUPS,
    clauses={"a": "short with the first", "b": "Provisioned by the second"},
)
def test_other_group(autoscaling):
    first = autoscaling.make_group("ng-a", cpu="4", memory="16Gi")
    first.fail_calls("rejects")
    autoscaling.start()
    request = autoscaling.make_request(4, "atomic", cpu="1", memory="1Gi")
    within("answer", request.is_out_of_capacity, clause="a")

    second = autoscaling.make_group("ng-b", cpu="4", memory="64Gi")

    within("attempt", request.is_provisioned)
    within("answer", lambda: second.was_increased_by(1) and first.was_increased_by(1), clause="b")
