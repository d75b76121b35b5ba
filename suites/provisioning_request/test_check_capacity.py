"""PRQ: checks of capacity, answered from the Nodes that
there are (PR-125, PR-126, PR-330, PR-331, PR-230).
"""

from kueue_conformance import always, rows, scenario, within

TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
ZONE = "topology.kubernetes.io/zone"
PORT = {"containerPort": 80, "hostPort": 80}


def in_zone(zone):
    """Return an affinity to the nodes of a zone."""
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def with_port():
    """Return the containers of a pod that takes a port of its node."""
    return [{"name": "c", "image": "registry.k8s.io/pause:3.10", "ports": [PORT]}]


@scenario(
    "PRQ-001",
    "a request whose pods all fit is Provisioned",
    requirement=("aep#conditions", "provisioning-request#check-capacity"),
    shows="PR-125 PR-230a PR-092 PR-093 CV-01",
    cases=rows("pods", (1,), (12,)).also_drawn(pods=12),
    clauses={"a": "it was Accepted", "b": "its capacity exists"},
)
def test_fits(autoscaling, pods):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(pods, cpu="1")

    within("answer", request.is_accepted, clause="a")
    within("answer", request.is_provisioned, clause="b")


@scenario(
    "PRQ-002",
    "a request that is one pod too large finds no capacity, and is tried again",
    requirement=("aep#conditions", "provisioning-request#check-capacity"),
    shows="PR-125 PR-230b PR-094 CV-02",
    cases=rows("cpu memory", ("1", "1Gi"), ("10m", "4Gi"), ("3", "1Gi")),
    clauses={
        "a": "the capacity is not there",
        "b": "it is not Provisioned afterwards",
        "c": "one pod less fits",
    },
)
def test_one_too_many(autoscaling, cpu, memory):
    autoscaling.make_nodes(3, cpu="4", memory="16Gi")
    autoscaling.start()
    capacity = {"1": 12, "10m": 12, "3": 3}[cpu]

    request = autoscaling.make_request(capacity + 1, cpu=cpu, memory=memory)

    within("answer", request.is_out_of_capacity, clause="a")
    always(request.is_out_of_capacity, clause="b")
    smaller = autoscaling.make_request(capacity, cpu=cpu, memory=memory)
    within("answer", smaller.is_provisioned, clause="c")


@scenario(
    "PRQ-003",
    "a request that found no capacity is Provisioned by a later attempt, when a Node is added",
    requirement=("aep#conditions", "provisioning-request#retry"),
    shows="PR-096 PR-121 PR-230c CV-04",
    clauses={"a": "not at first", "b": "not before its delay is over", "c": "then it is"},
)
def test_node_comes(autoscaling, clock):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(13, cpu="1")
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.make_node(cpu="4")

    clock.advance_almost(autoscaling.times.first)
    always(request.is_out_of_capacity, clause="b")
    within("answer", request.is_provisioned, clause="c")


@scenario(
    "PRQ-004",
    "Nodes on which the scheduler would place no pod of the request are not its capacity",
    requirement="provisioning-request#placing",
    shows="PR-230h PR-331",
    revision=2,
    clauses={"a": "no capacity", "b": "capacity for pods that may be scheduled there"},
    cases=rows(
        "why",
        ("taint",),
        ("selector",),
        ("zone",),
        ("cordoned",),
        ("port",),
        ("resource",),
        ("pods",),
        ("name",),
    ),
)
def test_not_placeable(autoscaling, why):
    count, shape, wrong, right = {
        "taint": (1, {"taints": [TAINT]}, {}, {"tolerations": [TAINT | {"operator": "Equal"}]}),
        "selector": (
            1,
            {"labels": {"pool": "a"}},
            {"nodeSelector": {"pool": "b"}},
            {"nodeSelector": {"pool": "a"}},
        ),
        "zone": (1, {"labels": {ZONE: "a"}}, {"affinity": in_zone("b")}, {"affinity": in_zone("a")}),
        "cordoned": (1, {}, {"tolerations": [{"operator": "Exists"}]}, {}),
        "port": (2, {}, {"containers": with_port()}, {"cpu": "2"}),
        "resource": (1, {}, {"overhead": {"example.com/gpu": "1"}}, {}),
        "pods": (111, {"cpu": "900"}, {"cpu": "1m", "memory": "1Mi"}, {"cpu": "1m", "memory": "2Mi"}),
        "name": (1, {}, {"nodeName": "", "nodeSelector": {"kubernetes.io/hostname": "another"}}, {}),
    }[why]
    node = autoscaling.make_node(**shape)
    if why == "cordoned":
        node.set_cordoned()
    autoscaling.start()

    within("answer", autoscaling.make_request(count, **wrong).is_out_of_capacity, clause="a")

    if why == "cordoned":
        node.set_cordoned(cordoned=False)
    fewer = count - 1 if why == "pods" else count
    within("answer", autoscaling.make_request(fewer, **right).is_provisioned, clause="b")


@scenario(
    "PRQ-005",
    "when one pod set of a request does not fit no capacity is booked for the others",
    requirement=("provisioning-request#check-capacity", "provisioning-request#booking"),
    shows="PR-125 PR-128",
    clauses={"a": "not there", "b": "the room is free for another"},
    cases=rows("first", ("fitting",), ("large",)),
)
def test_one_pod_set_fits(autoscaling, first):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    sets = [(autoscaling.make_template(cpu="1"), 4), (autoscaling.make_template(cpu="8"), 1)]

    request = autoscaling.make_request(sets if first == "fitting" else sets[::-1])

    within("answer", request.is_out_of_capacity, clause="a")
    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-006",
    "pod sets of several templates, or of one template, are simulated together",
    requirement="provisioning-request#check-capacity",
    shows="PR-133 PR-134",
    clauses={"a": "they fit together", "b": "with one pod more they do not"},
    cases=rows("templates", (1,), (2,), (32,)).also_drawn(templates=2),
)
def test_pod_sets(autoscaling, templates):
    autoscaling.make_nodes(2, cpu="16", memory="64Gi")
    autoscaling.start()
    names = [autoscaling.make_template(cpu="1", memory=f"{at + 1}Mi") for at in range(templates)]
    sets = [(names[at % templates], 1) for at in range(32)]

    second = autoscaling.make_request([*sets[:31], (names[0], 2)])
    within("answer", second.is_out_of_capacity, clause="b")

    within("answer", autoscaling.make_request(sets).is_provisioned, clause="a")


@scenario(
    "PRQ-007",
    "a container's limit counts as its request where it has none",
    requirement="provisioning-request#placing",
    shows="PR-132 DA-43",
    since="1.31",
    clauses={"a": "it is too much", "b": "half of it is not"},
)
def test_limits_count(autoscaling):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()

    within("answer", autoscaling.make_request(7, cpu="2", limits=True).is_out_of_capacity, clause="a")

    within("answer", autoscaling.make_request(6, cpu="2", limits=True).is_provisioned, clause="b")


@scenario(
    "PRQ-008",
    "running pods use capacity, and finished ones do not",
    requirement="provisioning-request#placing",
    shows="PR-112 PR-330",
    clauses={"a": "as long as it runs", "b": "when it is deleted"},
)
def test_running_pods(autoscaling):
    node = autoscaling.make_node(cpu="4")
    running = autoscaling.make_pod(cpu="2", on=node)
    autoscaling.start()

    within("answer", autoscaling.make_request(3, cpu="1").is_out_of_capacity, clause="a")
    running.finish()

    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-009",
    "conditions have the recorded reasons and messages, and the generation that they were computed from",
    requirement="provisioning-request#messages",
    shows="PR-076 PR-077 PR-079 PR-087 PR-088",
    level="may",
    cases=rows(
        "kind answer",
        ("check", "found"),
        ("check", "not found"),
        ("atomic", "found"),
        ("atomic", "not found"),
    ),
    clauses={"a": "accepted", "b": "answered", "c": "in this order", "d": "of its generation"},
)
def test_texts(autoscaling, kind, answer):
    autoscaling.make_node(cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(4 if answer == "found" else 5, kind, cpu="1")

    within("answer", lambda: request.shows_answer(answer), clause="b")
    within("answer", lambda: request.shows_answer("accepted"), clause="a")
    within("answer", lambda: request.has_only_conditions("Accepted", "Provisioned"), clause="c")
    within("answer", lambda: request.has_observed_generation("Accepted", 1), clause="d")


@scenario(
    "PRQ-010",
    "a check-capacity request with noRetry fails with its first attempt",
    requirement="provisioning-request#no-retry",
    shows="PR-055 PR-230g PR-081 CV-05",
    since="1.32",
    clauses={
        "a": "failed",
        "b": "without an answer that could change",
        "c": "also when there is room later",
    },
)
def test_no_retry(autoscaling, clock):
    autoscaling.start()

    request = autoscaling.make_request(1, parameters={"noRetry": "true"})

    within("answer", request.is_failed, clause="a")
    within("answer", lambda: request.has_no_condition("Provisioned"), clause="b")
    autoscaling.make_node()
    clock.advance(2 * autoscaling.times.first)
    always(lambda: request.has_no_condition("Provisioned") and request.is_failed(), clause="c")


@scenario(
    "PRQ-011",
    "a check-capacity request that failed with noRetry has the recorded condition",
    requirement="provisioning-request#messages",
    shows="PR-081",
    since="1.32",
    level="may",
    clauses={"a": "the recorded reason and text"},
)
def test_no_retry_text(autoscaling):
    autoscaling.start()

    request = autoscaling.make_request(1, parameters={"noRetry": "true"})

    within("answer", lambda: request.shows_answer("never found"), clause="a")


@scenario(
    "PRQ-012",
    "a check-capacity request with noRetry that finds capacity is Provisioned like any other",
    requirement="provisioning-request#no-retry",
    shows="PR-055",
    since="1.32",
    clauses={"a": "Provisioned"},
)
def test_no_retry_fits(autoscaling):
    autoscaling.make_node()
    autoscaling.start()

    request = autoscaling.make_request(1, parameters={"noRetry": "true"})

    within("answer", request.is_provisioned, clause="a")


@scenario(
    "PRQ-013",
    "a request with another value of noRetry is tried again",
    requirement="provisioning-request#no-retry",
    shows="PR-055 CV-06",
    clauses={"a": "not failed", "b": "found in the end"},
    cases=rows("word", ("yes",), ("false",), ("True",), ("",)),
)
def test_no_retry_word(autoscaling, word):
    autoscaling.start()
    request = autoscaling.make_request(1, parameters={"noRetry": word})
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.make_node()

    within("attempt", request.is_provisioned, clause="b")


@scenario(
    "PRQ-014",
    "noRetry has no effect on the atomic class",
    requirement="provisioning-request#no-retry",
    shows="PR-055",
    clauses={"a": "not failed", "b": "found in the end"},
)
def test_no_retry_atomic(autoscaling):
    autoscaling.start()
    request = autoscaling.make_request(1, "atomic", parameters={"noRetry": "true"})
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.make_node()

    within("attempt", request.is_provisioned, clause="b")


@scenario(
    "PRQ-015",
    "a request has no events",
    requirement="provisioning-request#events",
    shows="PR-188",
    level="may",
    clauses={"a": "answered", "b": "no event"},
)
def test_no_events(autoscaling):
    autoscaling.make_node(cpu="4")
    autoscaling.start()

    provisioned, short = autoscaling.make_request(4), autoscaling.make_request(5)

    within("answer", lambda: autoscaling.has_answered([provisioned, short]), clause="a")
    always(lambda: provisioned.has_no_events() and short.has_no_events(), clause="b")


@scenario(
    "PRQ-016",
    "a request with its final conditions is not written again",
    requirement="provisioning-request#conditions",
    shows="PR-121 PR-091",
    clauses={"a": "answered", "b": "and left alone"},
)
def test_left_alone(autoscaling, clock):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4)
    within("answer", request.is_provisioned, clause="a")
    before = request.object["metadata"]["resourceVersion"]

    clock.advance(9 * autoscaling.times.scan)

    always(lambda: request.has_resource_version(before), clause="b")


@scenario(
    "PRQ-017",
    "an atomic request whose pods all fit is Provisioned without another Node",
    requirement=("aep#conditions", "provisioning-request#atomic"),
    shows="PR-151 PR-231c CV-09",
    clauses={"a": "Provisioned"},
    cases=rows("pods", (1,), (12,)),
)
def test_atomic_fits(autoscaling, pods):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()

    request = autoscaling.make_request(pods, "atomic", cpu="1")

    within("answer", request.is_provisioned, clause="a")
