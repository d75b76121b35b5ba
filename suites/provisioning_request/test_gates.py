"""PRQ: each gate that alone keeps an atomic request from its nodes (PR-160…173, CV-11, PR-233)."""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)


def is_refused(request, group, reason):
    """Wait until a request is short, and its group was asked for nothing; what its pods are told, where that
    is known, is exact.
    """
    within("answer", request.is_out_of_capacity, clause="a")
    always(group.was_increased_by, clause="b")
    if reason:
        within(
            "answer",
            lambda: request.has_placeholder_event(
                "NotTriggerScaleUp", f"pod didn't trigger scale-up: 1 {reason}"
            ),
            clause="c",
        )


@scenario(
    "PRQ-120",
    "a group with unhealthy Nodes is not scaled up",
    requirement="provisioning-request#all-or-nothing",
    shows="PR-160 CV-11",
    level="should",
    needs=(*GROUPS, "virtual time"),
    since="1.32",
    clauses={"a": "short", "b": "no node requested", "c": "and reported", "d": "well again, it is"},
)
def test_unhealthy(autoscaling, clock):
    autoscaling.make_nodes(20, cpu="1m", memory="1Mi")
    group = autoscaling.make_group("ng-a", cpu="4")
    group.fail_calls("stays unready", times=1, for_seconds=600)
    autoscaling.start(
        ok_total_unready_count=1, max_node_startup_time="60s", provisioning_request_max_backoff_time="60s"
    )
    within("answer", autoscaling.make_request(20, "atomic", cpu="1").is_provisioned)
    within("answer", lambda: group.was_increased_by(5))
    clock.advance(180)

    request = autoscaling.make_request(4, "atomic", cpu="1")

    within("answer", request.is_out_of_capacity, clause="a")
    message = "pod didn't trigger scale-up: 1 not ready for scale-up"
    within("answer", lambda: request.has_placeholder_event("NotTriggerScaleUp", message), clause="c")
    always(lambda: group.was_increased_by(5), clause="b")
    clock.advance(480)
    within("attempt", request.is_provisioned, clause="d")


@scenario(
    "PRQ-121",
    "a group that the cloud refused to scale up is in back-off for a while",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#cloud-failures"),
    shows="PR-161 PR-172 PR-190 PR-231f GT-7 CV-11",
    level="should",
    needs=(*GROUPS, "virtual time"),
    since="1.32",
    clauses={"a": "short", "b": "asked once", "c": "and reported", "d": "asked again when its time is over"},
)
def test_backed_off(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects", times=1)
    autoscaling.start()
    request = autoscaling.make_request(4, "atomic", cpu="1")
    within("answer", request.is_out_of_capacity, clause="a")

    clock.advance(200)

    always(lambda: group.was_increased_by(1), clause="b")
    message = "pod didn't trigger scale-up: 1 in backoff after failed scale-up"
    within("answer", lambda: request.has_placeholder_event("NotTriggerScaleUp", message), clause="c")
    clock.advance(240)
    within("attempt", request.is_provisioned)
    within("answer", lambda: group.was_increased_by(1, 1), clause="d")


@scenario(
    "PRQ-122",
    "a group at its maximum size is not scaled up",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#limits"),
    shows="PR-162 PR-232c CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no node requested", "c": "and reported"},
)
def test_at_maximum(autoscaling):
    group = autoscaling.make_group("ng-a", nodes=2, most=2)
    autoscaling.start()

    is_refused(autoscaling.make_request(9, "atomic", cpu="1"), group, "max node group size reached")


@scenario(
    "PRQ-123",
    "a group of all nodes or none is not scaled up past the node limit of the cluster",
    requirement="provisioning-request#all-or-nothing",
    shows="PR-163 CV-11",
    needs=(*GROUPS, "groups of all or none"),
    clauses={"a": "short", "b": "no node requested", "c": "and reported"},
)
def test_all_or_none_past_limit(autoscaling):
    group = autoscaling.make_group("ng-a", most=6, zero_or_max=True)
    autoscaling.start(max_nodes_total=5)

    is_refused(
        autoscaling.make_request(4, "atomic", cpu="1"),
        group,
        "atomic scale-up exceeds cluster node count limit",
    )


@scenario(
    "PRQ-124",
    "a group is not scaled up where one more node of it would exceed a limit of the cluster",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#limits"),
    shows="PR-164 PR-233c PR-233d CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no node requested", "c": "and reported"},
    cases=rows("flag value resource", ("cores_total", "0:7", "cpu"), ("memory_total", "0:31", "memory")),
)
def test_quota(autoscaling, flag, value, resource):
    group = autoscaling.make_group("ng-a", nodes=1, cpu="4", memory="16Gi")
    autoscaling.start(**{flag: value})

    is_refused(
        autoscaling.make_request(5, "atomic", cpu="1"),
        group,
        f'exceeded quota: "cluster-wide", resources: {resource}',
    )


@scenario(
    "PRQ-125",
    "a group is not scaled up where pods do not fit on a node of it",
    requirement="provisioning-request#all-or-nothing",
    shows="PR-165 CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no node requested", "c": "and reported"},
)
def test_template(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()

    is_refused(autoscaling.make_request(1, "atomic", cpu="5"), group, "Insufficient cpu")


@scenario(
    "PRQ-126",
    "no node is requested where the nodes that may be added are too few for all pods",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#limits"),
    shows="PR-166 PR-233a PR-233b PR-233e PR-342 CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no node requested", "c": "one pod less is provided"},
    cases=rows(
        "example flags most pods",
        ("maximum", {}, 10, 41),
        ("per step", {"max_nodes_per_scaleup": 2}, 10, 9),
        ("in all", {"max_nodes_total": 3}, 10, 13),
    ),
)
def test_too_few(autoscaling, example, flags, most, pods):
    group = autoscaling.make_group("ng-a", most=most, cpu="4")
    autoscaling.start(**flags)

    within("answer", autoscaling.make_request(pods, "atomic", cpu="1").is_out_of_capacity, clause="a")

    always(group.was_increased_by, clause="b")
    within("answer", autoscaling.make_request(pods - 1, "atomic", cpu="1").is_provisioned, clause="c")


@scenario(
    "PRQ-127",
    "no node is requested where a limit of the cluster caps the nodes that are needed",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#limits"),
    shows="PR-169 PR-233c PR-233d CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no node requested", "c": "a request within the limit is Provisioned"},
    cases=rows(
        "flag value cpu memory pods fits",
        ("cores_total", "0:30", "1", "1Gi", 32, 24),
        ("memory_total", "0:100", "500m", "4Gi", 32, 24),
    ),
)
def test_capped(autoscaling, flag, value, cpu, memory, pods, fits):
    group = autoscaling.make_group("ng-a", cpu="8", memory="32Gi")
    autoscaling.start(**{flag: value})

    within(
        "answer",
        autoscaling.make_request(pods, "atomic", cpu=cpu, memory=memory).is_out_of_capacity,
        clause="a",
    )

    always(group.was_increased_by, clause="b")
    within(
        "answer", autoscaling.make_request(fits, "atomic", cpu=cpu, memory=memory).is_provisioned, clause="c"
    )


@scenario(
    "PRQ-128",
    "no node is requested where similar groups are too small together",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#choice"),
    shows="PR-171 PR-166 CV-11",
    needs=GROUPS,
    clauses={
        "a": "short",
        "b": "no node requested",
        "c": "a request that they can hold together is Provisioned",
    },
)
def test_balanced_too_small(autoscaling):
    groups = [autoscaling.make_group(name, most=2, cpu="4") for name in ("ng-a", "ng-b")]
    autoscaling.start(balance_similar_node_groups=True)

    within("answer", autoscaling.make_request(17, "atomic", cpu="1").is_out_of_capacity, clause="a")

    always(lambda: groups[0].was_increased_by() and groups[1].was_increased_by(), clause="b")
    within("answer", autoscaling.make_request(16, "atomic", cpu="1").is_provisioned, clause="c")


@scenario(
    "PRQ-129",
    "a request whose nodes the cloud refuses is not Provisioned, and is tried again",
    requirement=("provisioning-request#all-or-nothing", "provisioning-request#cloud-failures"),
    shows="PR-172 PR-154 PR-231f PR-360 CV-11",
    needs=GROUPS,
    clauses={"a": "short", "b": "no machine was created", "c": "provided in the end"},
)
def test_rejected(autoscaling):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects", times=1)
    autoscaling.start(initial_node_group_backoff_duration="10s")
    request = autoscaling.make_request(10, "atomic", cpu="1")

    within("answer", request.is_out_of_capacity, clause="a")
    always(lambda: group.has_target(0), clause="b")

    within("attempt", lambda: request.is_provisioned() and group.has_target(3), clause="c")


@scenario(
    "PRQ-130",
    "a group of all nodes or none is scaled up to its maximum, or not at all",
    requirement="provisioning-request#all-or-nothing",
    shows="PR-173 PR-353 CV-11",
    needs=(*GROUPS, "groups of all or none"),
    level="should",
    clauses={"a": "too large", "b": "to its maximum at once"},
)
def test_all_or_none(autoscaling):
    group = autoscaling.make_group("ng-a", most=4, zero_or_max=True)
    autoscaling.start()

    within("answer", autoscaling.make_request(17, "atomic", cpu="1").is_out_of_capacity, clause="a")

    within("answer", autoscaling.make_request(5, "atomic", cpu="1").is_provisioned)
    within("answer", lambda: group.was_increased_by(4), clause="b")


@scenario(
    "PRQ-131",
    "in an unhealthy cluster no request is tried, and bookings still expire",
    requirement="provisioning-request#all-or-nothing",
    shows="PR-113 CV-11",
    level="should",
    needs=("virtual time",),
    clauses={"a": "left alone", "b": "a booking ends", "c": "answered when the cluster is well"},
)
def test_cluster_unhealthy(autoscaling, clock):
    nodes = autoscaling.make_nodes(6, ready=False)
    clock.advance(16 * 60)
    booked = autoscaling.make_request(1)
    booked.set_foreign_conditions(ago=700, Provisioned=True)
    request = autoscaling.make_request(1)
    autoscaling.start()

    within("answer", booked.is_booking_expired, clause="b")
    clock.advance(2 * autoscaling.times.first)
    always(request.is_untouched, clause="a")
    for node in nodes:
        node.set_ready()
    within("answer", request.is_provisioned, clause="c")
