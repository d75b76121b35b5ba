"""ADM: what the pods of a Workload need (KEP-993, "Reserve quota"; AC-441, Q-081…Q-085, Q-185)."""

from kueue_conformance import always, rows, scenario, within


def container(name="main", fields=None, **resources):
    """Return a container with requests and limits."""
    return {"name": name, "image": "registry.k8s.io/pause:3.10", "resources": resources, **(fields or {})}


def pods(name="main", count=1, *, spec=None, **requests):
    """Return one pod set whose pods ask for something."""
    body = {"restartPolicy": "Never", "containers": [container(requests=requests)], **(spec or {})}
    return {"name": name, "count": count, "template": {"spec": body}}


@scenario(
    "ADM-392",
    "the requests of a pod are those of its containers, init containers, overhead and limits, as in Kubernetes",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-081 Q-083 AC-441",
    cases=rows(
        "example pod_set needs",
        ("each-of-several-pods", pods(count=3, cpu="1"), 3),
        (
            "two-containers",
            pods(
                spec={
                    "containers": [
                        container("a", requests={"cpu": "1"}),
                        container("b", requests={"cpu": "2"}),
                    ]
                }
            ),
            3,
        ),
        (
            "init-container-is-larger",
            pods(cpu="1", spec={"initContainers": [container("i", requests={"cpu": "3"})]}),
            3,
        ),
        (
            "init-container-is-smaller",
            pods(cpu="3", spec={"initContainers": [container("i", requests={"cpu": "1"})]}),
            3,
        ),
        (
            "init-containers-one-by-one",
            pods(
                cpu="1",
                spec={
                    "initContainers": [
                        container("i", requests={"cpu": "2"}),
                        container("j", requests={"cpu": "3"}),
                    ]
                },
            ),
            3,
        ),
        (
            "sidecar",
            pods(
                cpu="1",
                spec={"initContainers": [container("s", {"restartPolicy": "Always"}, requests={"cpu": "2"})]},
            ),
            3,
        ),
        (
            "sidecar-beside-init",
            pods(
                cpu="1",
                spec={
                    "initContainers": [
                        container("s", {"restartPolicy": "Always"}, requests={"cpu": "1"}),
                        container("i", requests={"cpu": "2"}),
                    ]
                },
            ),
            3,
        ),
        ("limit-without-request", pods(spec={"containers": [container(limits={"cpu": "3"})]}), 3),
        (
            "request-below-limit",
            pods(spec={"containers": [container(requests={"cpu": "3"}, limits={"cpu": "9"})]}),
            3,
        ),
        ("overhead", pods(cpu="1", spec={"overhead": {"cpu": "2"}}), 3),
    ),
    clauses={
        "a": "it waits while there is a thousandth too little",
        "b": "it is admitted when there is enough",
    },
)
def test_what_a_pod_needs(make_queue, example, pod_set, needs):
    queue = make_queue(cpu=f"{needs * 1000 - 1}m")

    workload = queue.submit(podSets=[pod_set])
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")
    queue.set_quota(f"{needs}")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-393",
    "the pod sets of a Workload are all admitted or none is",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-153 Q-155 AC-441",
    cases=rows("place", ("first",), ("last",)),
    clauses={
        "a": "it waits while they do not fit together",
        "b": "no part of it is reserved",
        "c": "then all of it is",
    },
)
def test_pod_sets_fit_together(make_queue, place):
    queue = make_queue(cpu="3")
    sizes = {"first": ("2", "1", "1"), "last": ("1", "1", "2")}[place]

    workload = queue.submit(podSets=[pods(f"pods-{number}", cpu=cpu) for number, cpu in enumerate(sizes)])
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: workload.is_suspended() and queue.shows_reserved("0"), clause="b")
    queue.set_quota("4")

    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-396",
    "a Workload that requests a resource that no group of the queue covers is not admitted",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-151 M-050",
    clauses={"a": "it waits", "b": "one that does not ask for it is admitted"},
)
def test_uncovered_resource(make_queue):
    queue = make_queue()

    odd = queue.submit(podSets=[pods(**{"cpu": "1", "example.com/gpu": "1"})])
    within("settle", lambda: odd.has_condition("QuotaReserved", "False"), clause="a")
    usual = queue.submit(cpu="1")

    within("admit", usual.is_admitted, clause="b")
    always(odd.is_suspended, clause="a")


@scenario(
    "ADM-403",
    "a pending Workload is admitted when its requests are lowered until it fits",
    requirement="kep-993#not-reserved-at-first",
    shows="Q-032 AC-161",
    cases=rows("strategy", ("BestEffortFIFO",), ("StrictFIFO",)),
    clauses={"a": "it is admitted"},
)
def test_made_smaller(make_queue, clock, strategy):
    queue = make_queue(cpu="1", queueingStrategy=strategy)
    workload = queue.submit(podSets=[pods(cpu="2")])
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    always(workload.is_suspended)
    clock.advance_budget("react")

    workload.try_to_change(spec={"podSets": [pods(cpu="1")]})

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-406",
    "reclaimable pods free their quota for other Workloads",
    requirement="kueue-api#reclaimable-pods",
    shows="Q-083 Q-085 AC-115",
    clauses={"a": "so much less is used", "b": "another Workload takes it"},
)
def test_pods_that_are_given_back(make_queue, clock):
    queue = make_queue(cpu="6")
    workload = queue.submit(cpu="2", count=3)
    within("admit", workload.is_admitted)
    waiting = queue.submit(cpu="4")
    always(waiting.is_suspended)
    clock.advance_budget("react")

    workload.set_reclaimable_pods(1)
    within("settle", lambda: queue.shows_reserved("4") and queue.shows_used("4"), clause="a")
    always(waiting.is_suspended, clause="a")
    clock.advance_budget("react")
    workload.set_reclaimable_pods(2)

    within("admit", waiting.is_admitted, clause="b")
    within("settle", lambda: queue.shows_reserved("6"), clause="a")


SMALLER = {"kueue.x-k8s.io/job-min-parallelism": "2"}
SHRINKING = {
    "one-index-each": {
        "annotations": {"kueue.x-k8s.io/job-completions-equal-parallelism": "true"},
        "spec": {"completionMode": "Indexed"},
    }
}


@scenario(
    "ADM-412",
    "a Workload with a minCount is admitted with as many pods as fit",
    requirement="kep-993#stage-one",
    shows="Q-185 Q-186 AC-336",
    since="0.9",
    gates=("PartialAdmission",),
    revision=3,
    cases=rows(
        "example count cpu expected completions",
        ("all", 4, "4", 4, 4),
        ("some", 4, "3", 3, 4),
        ("the-fewest", 4, "2", 2, 4),
        ("most-of-many", 8, "6", 6, 8),
        ("one-index-each", 4, "3", 3, 3),
    ),
    clauses={
        "a": "so many are counted",
        "b": "the Job starts with so many",
        "c": "stopped, it asks for all again",
        "d": "so many have to succeed, fewer where completions follow the pods",
    },
)
def test_fewer_pods(kueue_cluster, example, count, cpu, expected, completions):
    queue, mode = kueue_cluster.make_queue(cpu=cpu), SHRINKING.get(example, {})
    workload = queue.submit(
        "job",
        cpu="1",
        count=count,
        annotations={**SMALLER, **mode.get("annotations", {})},
        **mode.get("spec", {}),
    )
    job = kueue_cluster.job_of(workload)

    within("admit", lambda: workload.has_admission(queue, main={"count": expected}), clause="a")
    within("admit", lambda: job.is_started() and job.has_parallelism(expected), clause="b")
    within("settle", lambda: job.has_completions(completions), clause="d")
    queue.hold_and_drain()

    within("evict", lambda: job.is_suspended() and job.has_parallelism(count), clause="c")
    within("evict", lambda: job.has_completions(count), clause="d")


@scenario(
    "ADM-413",
    "a Workload with a minCount stays pending while not even that many pods fit",
    requirement="kep-993#reservation-fits-quota",
    shows="Q-185 Q-187",
    since="0.9",
    gates=("PartialAdmission",),
    clauses={"a": "it waits", "b": "it is admitted with the fewest"},
)
def test_too_few_pods(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    workload = queue.submit("job", cpu="1", count=4, annotations={"kueue.x-k8s.io/job-min-parallelism": "2"})
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(workload.is_suspended, clause="a")

    queue.set_quota("2")

    within("admit", lambda: workload.has_admission(queue, main={"count": 2}), clause="b")
