"""PRC: whether a Workload needs a request, and for which of its pods (PA-040…PA-043, PA-062, PD-02)."""

from kueue_conformance import always, cross, rows, scenario, within

NOT_NEEDED = "the provisioning request is not needed"
OTHER = "example.com/gpu"
WAYS = {
    "a request": {"containers": [{"resources": {"requests": {"cpu": "1"}}}]},
    "a limit": {"containers": [{"resources": {"limits": {"cpu": "1"}}}]},
    "a second container": {"containers": [{"resources": {}}, {"resources": {"requests": {"cpu": "1"}}}]},
    "an init container": {
        "containers": [{"resources": {}}],
        "initContainers": [{"resources": {"requests": {"cpu": "1"}}}],
    },
    "a quantity of zero": {"containers": [{"resources": {"requests": {"cpu": "0"}}}]},
}


def containers(container_requests):
    """Return the containers of a pod's spec with what each needs to be one."""
    return {
        kind: [
            {"name": f"{kind[:4].lower()}{at}", "image": "registry.k8s.io/pause:3.10", **requests}
            for at, requests in enumerate(those)
        ]
        for kind, those in container_requests.items()
    }


@scenario(
    "PRC-030",
    "pods that request a managed resource need a request, in whatever container they request it",
    requirement="provisioning-check#need",
    shows="PA-040 PA-041 TB-29 TB-30 PD-02",
    since="0.19",
    cases=cross(route=tuple(WAYS)),
    clauses={"a": "it is requested for them alone"},
)
def test_managed_resources(kueue_cluster, provisioning, route):
    queue = provisioning.make_queue(manages=("cpu",))
    driver, workers = (
        kueue_cluster.pod_set("driver"),
        kueue_cluster.pod_set("workers", 2, spec=containers(WAYS[route])),
    )

    workload = queue.submit(podSets=[driver, workers])

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(2), clause="a")


@scenario(
    "PRC-031",
    "a Workload without a managed resource needs no request and is admitted",
    requirement="provisioning-check#need",
    shows="PA-043 TB-28 SC-141",
    since="0.19",
    clauses={
        "a": "the check is Ready",
        "b": "it is admitted",
        "c": "no request was ever created",
        "d": "its pods are left as they are",
    },
)
def test_not_needed(provisioning):
    queue = provisioning.make_queue(manages=(OTHER,))

    workload = queue.submit(cpu="1")

    within("react", lambda: workload.has_states("Ready", *queue.checks), clause="a")
    within("admit", workload.is_admitted, clause="b")
    always(lambda: workload.has_no_request() and workload.request(queue.checks[0]).was_created(0), clause="c")
    always(lambda: workload.has_no_updates(queue.checks[0]), clause="d")


@scenario(
    "PRC-032",
    "a check that needs no request is reported with the recorded texts",
    requirement="provisioning-check#messages",
    shows="PA-043 SC-141",
    level="may",
    since="0.19",
    clauses={"a": "the message"},
)
def test_words_when_not_needed(provisioning):
    queue = provisioning.make_queue(manages=(OTHER,))

    workload = queue.submit(cpu="1")

    within("react", lambda: workload.has_entry_message(queue.checks[0], NOT_NEEDED), clause="a")


@scenario(
    "PRC-033",
    "a request is for the admitted pods, not for all pods of the Workload",
    requirement=("provisioning-check#need", "provisioning-check#what-is-asked-for"),
    shows="PA-062 TB-05",
    since="0.19",
    gates=("PartialAdmission",),
    clauses={"a": "as many as the quota allows"},
)
def test_partial_admission(kueue_cluster, provisioning):
    queue = provisioning.make_queue(cpu="3")

    workload = queue.submit(podSets=[{**kueue_cluster.pod_set("main", 5, cpu="1"), "minCount": 1}])

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(3), clause="a")


@scenario(
    "PRC-034",
    "pods that are reclaimable are not requested",
    requirement=("provisioning-check#need", "provisioning-check#what-is-asked-for"),
    shows="PA-041 PA-062 TB-06 PD-02",
    since="0.19",
    clauses={"a": "the rest is requested"},
)
def test_reclaimable_pods(provisioning):
    queue = provisioning.make_queue(cpu="0")
    workload = queue.submit(cpu="1", count=3)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    workload.set_reclaimable_pods(2)

    queue.set_quota("3")

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(1), clause="a")


@scenario(
    "PRC-035",
    "a Workload whose pods are all reclaimable needs no request",
    requirement="provisioning-check#need",
    shows="PA-041 TB-06 TB-101 SC-141",
    since="0.19",
    clauses={"a": "the check is Ready", "b": "without a request"},
)
def test_all_pods_reclaimable(provisioning):
    queue = provisioning.make_queue(cpu="0")
    workload = queue.submit(cpu="1", count=2)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    workload.set_reclaimable_pods(2)

    queue.set_quota("3")

    within("react", lambda: workload.has_states("Ready", *queue.checks), clause="a")
    always(lambda: workload.request(queue.checks[0]).was_created(0), clause="b")


@scenario(
    "PRC-036",
    "pod sets without pods are not requested",
    requirement=("provisioning-check#need", "provisioning-check#what-is-asked-for"),
    shows="PA-041 PA-062 TB-07 RG-K15 DK-26",
    since="0.19",
    cases=rows("empty", (0,), (1,)),
    clauses={"a": "the other one is"},
)
def test_empty_pod_set(kueue_cluster, provisioning, empty):
    queue = provisioning.make_queue()
    counts = [0, 2] if empty == 0 else [2, 0]

    workload = queue.submit(
        podSets=[kueue_cluster.pod_set(f"p{at}", count, cpu="1") for at, count in enumerate(counts)]
    )

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(2), clause="a")


@scenario(
    "PRC-037",
    "a Workload without any pods needs no request",
    requirement="provisioning-check#need",
    shows="SC-141 TB-15 TB-101",
    since="0.19",
    clauses={"a": "it is admitted", "b": "without a request"},
)
def test_no_pods(kueue_cluster, provisioning):
    queue = provisioning.make_queue()

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", 0, cpu="1")])

    within("admit", workload.is_admitted, clause="a")
    always(lambda: workload.request(queue.checks[0]).was_created(0), clause="b")
