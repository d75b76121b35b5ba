"""QUE: what the cluster adds to what pods ask for (Q-081…Q-092)."""

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
