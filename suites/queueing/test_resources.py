"""QUE: what the cluster adds to what pods ask for,
and which requests are refused (Q-081…Q-093; M-042…M-045).
"""

from kueue_conformance import always, either, pairwise, rows, scenario, within


def pods(requests=None, limits=None, count=1, **spec):
    """Return the one pod set of a Workload, with requests and limits of cpu."""
    resources = {
        name: {"cpu": value} for name, value in (("requests", requests), ("limits", limits)) if value
    }
    container = {"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": resources}
    return [
        {
            "name": "main",
            "count": count,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container], **spec}},
        }
    ]


@scenario(
    "QUE-040",
    "the overhead of a RuntimeClass is part of a Workload's requests",
    requirement="kueue-docs#resources",
    shows="S-107 Q-090",
    clauses={"a": "it is counted", "b": "a RuntimeClass that does not exist has no overhead"},
    cases=rows("example uses", ("it is there", "2"), ("it is missing", "1")),
)
def test_overhead(kueue_cluster, example, uses):
    queue = kueue_cluster.make_queue(cpu="5")
    name = "nobody"
    if example == "it is there":
        name = kueue_cluster.make_object(
            "RuntimeClass", handler="kata", overhead={"podFixed": {"cpu": "1"}}
        ).name

    # What the API server's own admission writes into pods it does not write into the template of a Workload.
    workload = queue.submit(podSets=pods("1", runtimeClassName=name))

    within("admit", workload.is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved(uses), clause="a")


@scenario(
    "QUE-041",
    "requests that are left out are the defaults of the namespace's LimitRange, or the limits",
    requirement="kueue-docs#resources",
    shows="S-108 S-109 Q-090 Q-091",
    clauses={"a": "they are counted", "b": "the Workload's own requests stay as they were"},
    cases=rows(
        "example requests limits uses",
        ("a default", "", "", "3"),
        ("a request of its own", "1", "", "1"),
        ("a limit", "", "2", "2"),
    ),
)
def test_defaults(kueue_cluster, example, requests, limits, uses):
    queue = kueue_cluster.make_queue(cpu="5")
    if example != "a limit":
        kueue_cluster.make_object(
            "LimitRange", spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "3"}}]}
        )
    pod_sets = pods(requests, limits)

    workload = queue.submit(podSets=pod_sets)

    within("admit", workload.is_admitted, clause="a")
    within("settle", lambda: queue.shows_reserved(uses), clause="a")
    before = pod_sets[0]["template"]["spec"]["containers"][0]["resources"]
    within(
        "settle",
        lambda: (
            workload.object["spec"]["podSets"][0]["template"]["spec"]["containers"][0].get("resources", {})
            == before
        ),
        clause="b",
    )


IN_TIME, FIRST_DELAY = 1800, 60
FROM_CLUSTER = {
    "overhead": ("RuntimeClass", {"handler": "kata", "overhead": {"podFixed": {"cpu": "2"}}}),
    "default": (
        "LimitRange",
        {"spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "3"}}]}},
    ),
}
ROUTES = ("retry-with-delay", "pods-not-ready", "stopped", "deactivated", "restart")


def comes_back(kueue_cluster, queue, workload, clock, route):
    """Have an admitted Workload lose its quota, and come back into the queue."""
    loses, returns = {
        "retry-with-delay": (
            lambda: queue.checks[0].answer(workload, "Retry", delay=clock.hold),
            lambda: clock.advance(clock.hold),
        ),
        "pods-not-ready": (lambda: clock.advance(IN_TIME), lambda: clock.advance(FIRST_DELAY)),
        "stopped": (queue.hold_and_drain, queue.resume),
        "deactivated": (workload.deactivate, workload.reactivate),
        "restart": (queue.hold_and_drain, lambda: (kueue_cluster.restart_control_plane(), queue.resume())),
    }[route]
    loses()
    within("evict", lambda: workload.was_evicted_times(1) or workload.is_waiting_for_requeue())
    returns()


@scenario(
    "QUE-600",
    "the overhead and the defaults of the cluster are part of the requests in every attempt of a Workload",
    requirement="kueue-docs#resources",
    shows="Q-090 Q-091 Q-092 KV-48",
    since="0.19",
    needs=("virtual time",),
    cases=pairwise(added=tuple(FROM_CLUSTER), route=ROUTES),
    clauses={
        "a": "they are counted in the first attempt",
        "b": "and in the second one, so that no other gets what is needed for them",
    },
)
def test_additions_count_in_every_attempt(kueue_cluster, clock, added, route):
    kind, sections = FROM_CLUSTER[added]
    name = kueue_cluster.make_object(kind, **sections).name
    pod_sets = {"overhead": pods("1", runtimeClassName=name), "default": pods()}[added]
    queue = kueue_cluster.make_queue(1, cpu="5")
    workload = queue.submit_until("admitted", podSets=pod_sets)
    within("settle", lambda: queue.shows_reserved("3"), clause="a")

    comes_back(kueue_cluster, queue, workload, clock, route)

    within("requeue", lambda: workload.was_reserved(2) and workload.is_prechecked(), clause="b")
    within("settle", lambda: queue.shows_reserved("3"), clause="b")
    other = queue.submit(cpu="3")
    always(other.is_suspended, clause="b")


BOUNDS = {
    "beyond its own limit": ({}, "3", "2", "resources validation failed"),
    "above the most": (
        {"type": "Container", "max": {"cpu": "1"}},
        "2",
        "3",
        "resources didn't satisfy LimitRange constraints",
    ),
    "below the least": (
        {"type": "Container", "min": {"cpu": "3"}},
        "2",
        "",
        "resources didn't satisfy LimitRange constraints",
    ),
    "a pod above the most": (
        {"type": "Pod", "max": {"cpu": "1"}},
        "2",
        "",
        "resources didn't satisfy LimitRange constraints",
    ),
    "a pod below the least": (
        {"type": "Pod", "min": {"cpu": "3"}},
        "2",
        "",
        "resources didn't satisfy LimitRange constraints",
    ),
}


OLDER = {
    "beyond its own limit": "resource validation failed: podSets.main.containers[0][cpu] requests exceed it's limits",
    "above the most": "didn't satisfy LimitRange constraints: the requests of podSets.main.containers[0][cpu] exceeds the limits",
    "below the least": "didn't satisfy LimitRange constraints: the requests of podSets.main.containers[0][cpu] are less than the limits",
    "a pod above the most": "didn't satisfy LimitRange constraints: the requests of podSets.main[cpu] exceeds the limits",
    "a pod below the least": "didn't satisfy LimitRange constraints: the requests of podSets.main[cpu] are less than the limits",
}


@scenario(
    "QUE-192",
    "older releases name the container or the pod set whose requests are out of bounds",
    requirement="kueue-docs#resources",
    shows="Q-093 Q-510",
    cases=rows("case_name", *((example,) for example in OLDER)),
    only=("v0.6", "docs-2024"),
    level="may",
    clauses={"a": "the pending Workload names it, and the mistake"},
)
def test_older_texts_of_bounds(kueue_cluster, case_name):
    limit, requests, limits, _ = BOUNDS[case_name]
    queue = kueue_cluster.make_queue(cpu="5")
    if limit:
        kueue_cluster.make_object("LimitRange", spec={"limits": [limit]})

    wrong = queue.submit(podSets=pods(requests, limits))

    within("settle", lambda: wrong.has_message_containing("QuotaReserved", OLDER[case_name]), clause="a")
    always(wrong.is_suspended, clause="a")


@scenario(
    "QUE-042",
    "requests above their limits or above a LimitRange of the namespace get no quota",
    requirement="kueue-docs#resources",
    shows="S-105 Q-093 M-042 M-043 M-044 M-045",
    cases=rows("bound", *((example,) for example in BOUNDS)),
    since="0.19",
    also=("kep993",),
    clauses={"a": "they stay pending, with a message", "b": "valid ones are admitted beside them"},
)
def test_requests_out_of_bounds(kueue_cluster, bound):
    limit, requests, limits, says = BOUNDS[bound]
    queue = kueue_cluster.make_queue(cpu="5")
    if limit:
        kueue_cluster.make_object("LimitRange", spec={"limits": [limit]})

    wrong = queue.submit(podSets=pods(requests, limits))

    within("settle", lambda: wrong.has_message_containing("QuotaReserved", says), clause="a")
    good = {"below the least": "3", "a pod below the least": "3"}.get(bound, "1")
    within("admit", queue.submit(podSets=pods(good)).is_admitted, clause="b")
    always(wrong.is_suspended, clause="a")


@scenario(
    "QUE-250",
    "a LimitRange has effect until it is deleted",
    requirement="kueue-docs#resources",
    shows="Q-091 Q-093",
    since="0.19",
    also=("kep993",),
    cases=rows("bound", *((example,) for example in BOUNDS if example != "beyond its own limit")),
    clauses={
        "a": "a Workload that it forbids stays pending",
        "b": "an equal one is admitted when it is deleted",
    },
)
def test_deleted_limit_range(kueue_cluster, clock, bound):
    limit, requests, limits, says = BOUNDS[bound]
    queue = kueue_cluster.make_queue(cpu="5")
    limits_of_namespace = kueue_cluster.make_object("LimitRange", spec={"limits": [limit]})
    before = queue.submit(podSets=pods(requests, limits))
    within("settle", lambda: before.has_message_containing("QuotaReserved", says), clause="a")
    always(before.is_suspended, clause="a")

    limits_of_namespace.delete()
    clock.tick()

    within("admit", queue.submit(podSets=pods(requests, limits)).is_admitted, clause="b")


@scenario(
    "QUE-043",
    "pod-level requests take precedence over the requests of the containers",
    requirement="kueue-docs#resources",
    shows="S-106 Q-081",
    since="0.19",
    also=("kep993",),
    clauses={"a": "the whole is counted", "b": "the next waits"},
)
def test_resources_of_a_pod(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="3")
    first, second = (
        queue.submit(podSets=pods("500m", resources={"requests": {"cpu": "2"}})) for _ in range(2)
    )

    within(
        "settle", lambda: queue.shows_reserved("2") and queue.shows_counts(pending=1, reserving=1), clause="a"
    )
    always(lambda: first.is_suspended() or second.is_suspended(), clause="b")


@scenario(
    "QUE-044",
    "pending Workloads are tried again when a change of a flavor makes it suitable",
    requirement=("kueue-docs#tried-again", "kueue-docs#flavors-in-order"),
    shows="S-096 Q-051 Q-158",
    clauses={"a": "it waits", "b": "it is admitted"},
)
def test_changed_flavor(kueue_cluster):
    taint = {"key": "instance", "value": "spot", "effect": "NoSchedule"}
    queues = kueue_cluster.make_topology("q spot:5", flavors={"spot": {"nodeTaints": [taint]}})
    many = [queues["q"].submit(cpu="1") for _ in range(3)]
    for workload in many:
        within("settle", lambda: queues["q"].shows_counts(pending=3, reserving=0), clause="a")
        always(workload.is_suspended, clause="a")

    kueue_cluster.change_flavor(queues.flavors["spot"], nodeTaints=None)

    for workload in many:
        within("admit", workload.is_admitted, clause="b")


PLACE = "spec.podSets[0].template.spec"
WORDS = {
    "beyond its own limit": f'resources validation failed: {PLACE}.containers[0]: Invalid value: ["cpu"]: requests must not exceed its limits',
    "above the most": f'resources didn\'t satisfy LimitRange constraints: {PLACE}.containers[0]: Invalid value: ["cpu"]: requests must not be above the limitRange max',
    "below the least": f'resources didn\'t satisfy LimitRange constraints: {PLACE}.containers[0]: Invalid value: ["cpu"]: requests must not be below the limitRange min',
    "a pod above the most": f'resources didn\'t satisfy LimitRange constraints: {PLACE}: Invalid value: ["cpu"]: requests must not be above the limitRange max',
    "a pod below the least": f'resources didn\'t satisfy LimitRange constraints: {PLACE}: Invalid value: ["cpu"]: requests must not be below the limitRange min',
}


@scenario(
    "QUE-281",
    "the messages of requests out of bounds have the recorded texts, with their fields",
    requirement="queueing#messages",
    shows="Q-093 M-042 M-043 M-044 M-045",
    cases=rows("word", *((example,) for example in WORDS)),
    since="0.19",
    level="may",
    clauses={"a": "the condition has it"},
)
def test_texts_of_bounds(kueue_cluster, word):
    limit, requests, limits, _ = BOUNDS[word]
    queue = kueue_cluster.make_queue(cpu="5")
    if limit:
        kueue_cluster.make_object("LimitRange", spec={"limits": [limit]})

    wrong = queue.submit(podSets=pods(requests, limits))

    within("settle", lambda: wrong.has_message("QuotaReserved", WORDS[word]), clause="a")


@scenario(
    "QUE-282",
    "a message names every request that is out of bounds, in the recorded text",
    requirement="queueing#messages",
    shows="Q-093 M-042 M-044",
    since="0.19",
    level="may",
    revision=2,
    clauses={"a": "the condition names them all"},
)
def test_texts_of_several_bounds(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="5")
    beyond = {"requests": {"cpu": "3", "memory": "2Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}
    first = {"name": "first", "image": "registry.k8s.io/pause:3.10", "resources": beyond}
    pod_resources = {"requests": {"cpu": "7"}, "limits": {"cpu": "6"}}
    (pod_set,) = pods("3", "2", initContainers=[first], resources=pod_resources)

    wrong = queue.submit(podSets=[pod_set])

    init = f'{PLACE}.initContainers[0]: Invalid value: ["cpu","memory"]: requests must not exceed its limits'
    main = f'{PLACE}.containers[0]: Invalid value: ["cpu"]: requests must not exceed its limits'
    pod = f'{PLACE}.resources: Invalid value: ["cpu"]: requests must not exceed its limits'
    text = f"resources validation failed: [{init}, {main}, {pod}]"
    within("settle", lambda: wrong.has_message("QuotaReserved", text), clause="a")


BY_TYPE = [
    {
        "type": "Container",
        "min": {"cpu": "2"},
        "defaultRequest": {"cpu": "3"},
        "default": {"cpu": "4"},
        "max": {"cpu": "4"},
    },
    {"type": "Pod", "min": {"cpu": "5"}, "max": {"cpu": "8"}},
    {"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}},
]


@scenario(
    "QUE-290",
    "containers and pods have bounds of their own in a LimitRange, and containers without requests get the default",
    requirement="kueue-docs#resources",
    shows="S-105 S-108 Q-090 Q-091 Q-093",
    clauses={
        "a": "requests within both bounds are admitted",
        "b": "with the default of each container, sidecars as well, on the nodes that it selects",
        "c": "a pod that is too small waits, though its container is not",
        "d": "and so does a pod that is too large",
    },
)
def test_bounds_by_type(kueue_cluster):
    kueue_cluster.make_object("LimitRange", spec={"limits": BY_TYPE})
    spare, suitable = (kueue_cluster.make_flavor(nodeLabels={"example.com/zone": zone}) for zone in "ab")
    queue = kueue_cluster.make_queue(flavors=[spare, suitable], cpu=("20", "20"))
    where = {"nodeSelector": {"example.com/zone": "b"}}
    silent = {"name": "silent", "image": "registry.k8s.io/pause:3.10"}
    sidecar = {**silent, "name": "sidecar", "restartPolicy": "Always"}
    (two,), (beside_sidecar,), (three,) = pods("2", **where), pods("2", initContainers=[sidecar]), pods("3")
    two["template"]["spec"]["containers"].append(silent)
    three["template"]["spec"]["containers"] += [silent, {**silent, "name": "third"}]

    selecting, other, small, large = (
        queue.submit(podSets=pod_sets) for pod_sets in ([two], [beside_sidecar], pods(), [three])
    )

    within("admit", lambda: selecting.is_admitted() and selecting.has_flavor(suitable), clause="a")
    within("admit", lambda: other.is_admitted() and other.has_flavor(spare), clause="a")
    within("settle", lambda: queue.shows_reserved("10"), clause="b")
    always(small.is_suspended, clause="c")
    always(large.is_suspended, clause="d")


@scenario(
    "QUE-291",
    "of several LimitRanges of a namespace the tightest bound counts",
    requirement="kueue-docs#resources",
    shows="Q-091 Q-093",
    clauses={
        "a": "requests beyond one of them stay pending",
        "b": "requests within all of them are admitted",
    },
)
def test_several_limit_ranges(kueue_cluster):
    for most, least in (("3", "1"), ("4", "2"), ("5", "500m")):
        limit = {"type": "Container", "max": {"cpu": most}, "min": {"cpu": least}}
        kueue_cluster.make_object("LimitRange", spec={"limits": [limit]})
    queue = kueue_cluster.make_queue(cpu="20")

    over, under = (queue.submit(podSets=pods(cpu)) for cpu in ("3500m", "1500m"))
    inside = queue.submit(podSets=pods("2500m"))

    within("admit", inside.is_admitted, clause="b")
    for workload in (over, under):
        within(
            "settle", lambda workload=workload: workload.has_condition("QuotaReserved", "False"), clause="a"
        )
        always(workload.is_suspended, clause="a")


@scenario(
    "QUE-295",
    "a Workload whose pod-level requests exceed their limits gets no quota",
    requirement="kueue-docs#resources",
    shows="Q-081 Q-093 M-042",
    since="0.19",
    also=("kep993",),
    clauses={"a": "it stays pending, with a message", "b": "requests equal to their limit are admitted"},
)
def test_pod_beyond_its_limit(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="5")

    wrong, good = (
        queue.submit(podSets=pods("1", resources={"requests": {"cpu": cpu}, "limits": {"cpu": "2"}}))
        for cpu in ("3", "2")
    )

    within(
        "settle",
        lambda: wrong.has_message_containing("QuotaReserved", "resources validation failed"),
        clause="a",
    )
    within("admit", good.is_admitted, clause="b")
    always(wrong.is_suspended, clause="a")


ADDED = {
    "a RuntimeClass": (
        "RuntimeClass",
        {"handler": "kata", "overhead": {"podFixed": {"cpu": "2"}}},
        {"cpu": "1"},
    ),
    "a LimitRange": (
        "LimitRange",
        {"spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "3"}}]}},
        {"memory": "1Mi"},
    ),
}


@scenario(
    "QUE-303",
    "a pending Workload is counted again, and admitted, when its RuntimeClass overhead or LimitRange default is removed",
    requirement=("kueue-docs#resources", "kueue-docs#tried-again"),
    shows="Q-051 Q-090 Q-092",
    since="0.19",
    also=("kep993",),
    cases=rows("addition", *((example,) for example in ADDED)),
    clauses={"a": "with it there is too little quota", "b": "without it there is enough"},
)
def test_counted_anew(kueue_cluster, addition):
    kind, fields, requests = ADDED[addition]
    queues = kueue_cluster.make_topology("q 2 memory/default:1Gi")
    added = kueue_cluster.make_object(kind, **fields)
    spec = {"runtimeClassName": added.name} if kind == "RuntimeClass" else {}
    workload = queues["q"].submit(podSets=[kueue_cluster.pod_set("main", spec=spec, **requests)])
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    added.delete()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "QUE-341",
    "a container with a limit and no request beside a default request counts as what its pods request, or as the default",
    requirement="queueing#quirks",
    shows="BUG-160 Q-090 Q-091 KV-50",
    since="0.19",
    level="may",
    clauses={"a": "what is counted", "b": "a pod without both counts as the default"},
)
def test_limit_beside_a_default_request(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="9")
    kueue_cluster.make_object(
        "LimitRange", spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "1"}}]}
    )

    workload = queue.submit(podSets=pods("", "3"))

    within("admit", workload.is_admitted, clause="a")
    clock.advance_budget("react")
    either(
        "settle",
        {
            "what its pods request": lambda: queue.shows_reserved("3"),
            "the default": lambda: queue.shows_reserved("1"),
        },
        until={"the default": "<0.19.3, 0.20.0"},
        clause="a",
    )
    workload.finish()
    within("admit", queue.submit(podSets=pods("", "")).is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved("1"), clause="b")


@scenario(
    "QUE-342",
    "what a LimitRange refused is looked at again when its bounds are relaxed or it is deleted, or later",
    requirement="queueing#quirks",
    shows="BUG-161 Q-051 Q-093 KV-49",
    since="0.19",
    level="may",
    permits=("Q-125",),
    cases=rows("how", ("relaxed",), ("deleted",)),
    clauses={"a": "it is admitted, or waits with the same text", "b": "it is admitted when quota changes"},
)
def test_bounds_are_relaxed(kueue_cluster, clock, how):
    queue = kueue_cluster.make_queue(cpu="5")
    bounds = kueue_cluster.make_object(
        "LimitRange", spec={"limits": [{"type": "Container", "max": {"cpu": "1"}}]}
    )
    workload = queue.submit(podSets=pods("2", "2"))
    says = "resources didn't satisfy LimitRange constraints"
    within("settle", lambda: workload.has_message_containing("QuotaReserved", says))
    clock.advance_budget("requeue")

    if how == "relaxed":
        bounds.try_to_change(spec={"limits": [{"type": "Container", "max": {"cpu": "4"}}]})
    else:
        bounds.delete()

    clock.advance_budget("requeue")
    either(
        "settle",
        {
            "it is admitted": workload.is_admitted,
            "it waits": lambda: (
                workload.is_suspended() and workload.has_message_containing("QuotaReserved", says)
            ),
        },
        until={"it waits": "<0.19.3, 0.20.0"},
        clause="a",
    )
    queue.set_quota("6")
    within("requeue", workload.is_admitted, clause="b")


@scenario(
    "QUE-343",
    "pod-level requests below those of the containers count as they are, or as those of the containers",
    requirement="queueing#quirks",
    shows="BUG-163 S-106 Q-081 KV-58",
    since="0.19",
    level="may",
    clauses={"a": "what is counted", "b": "what is more than the containers' counts as it is"},
)
def test_pod_level_below_containers(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="9")

    def request(cpu):
        (group,) = pods("3", "")
        spec = {**group["template"]["spec"], "resources": {"requests": {"cpu": cpu}}}
        return [{**group, "template": {**group["template"], "spec": spec}}]

    workload = queue.submit(podSets=request("1"))

    within("admit", workload.is_admitted, clause="a")
    clock.advance_budget("react")
    either(
        "settle",
        {"the containers": lambda: queue.shows_reserved("3"), "the pod": lambda: queue.shows_reserved("1")},
        until={"the pod": "<0.19.6, 0.20.0"},
        clause="a",
    )
    workload.finish()
    within("admit", queue.submit(podSets=request("4")).is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved("4"), clause="b")
