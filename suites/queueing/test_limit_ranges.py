"""QUE: requests that are refused, by own limits and by LimitRanges (Q-081, Q-091, Q-093; M-042…M-045)."""

from kueue_conformance import always, either, rows, scenario, within


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
