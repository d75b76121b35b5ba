"""PRC: pod sets that are alike become one of the request where
the configuration says so (PA-063, PA-064, PA-088, PD-06).
"""

from kueue_conformance import cross, either, rows, scenario, within

TEMPLATES, REQUIREMENTS = "IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"
GPU = {"tolerations": [{"key": "gpu", "operator": "Exists"}]}
# What the second pod set has otherwise, and under which policies both still become one.
OTHERWISE = {
    "nothing": ({}, (TEMPLATES, REQUIREMENTS)),
    "a service account": ({"serviceAccountName": "other"}, (REQUIREMENTS,)),
    "a toleration": (GPU, ()),
}


def alike(kueue_cluster, *counts, **second):
    """Return pod sets of equal pods, of which the second says more where that is given."""
    return [
        kueue_cluster.pod_set(f"p{at}", count, cpu="1", spec=second if at == 1 else None)
        for at, count in enumerate(counts)
    ]


@scenario(
    "PRC-040",
    "pod sets are merged as far as the policy goes",
    requirement="provisioning-check#merging",
    shows="PA-063 TB-47 TB-48 TB-117 SC-154 PD-06",
    since="0.19",
    cases=cross(policy=(TEMPLATES, REQUIREMENTS), otherwise=tuple(OTHERWISE)),
    clauses={"a": "the counts that the request has"},
)
def test_merge_policies(kueue_cluster, provisioning, policy, otherwise):
    other_fields, merged = OTHERWISE[otherwise]
    queue = provisioning.make_queue(merges=policy)

    workload = queue.submit(podSets=alike(kueue_cluster, 1, 2, **other_fields))

    counts = (3,) if policy in merged else (1, 2)
    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(*counts), clause="a")


@scenario(
    "PRC-041",
    "without a policy every pod set is requested by itself",
    requirement="provisioning-check#merging",
    shows="PA-063 SC-154",
    since="0.19",
    clauses={"a": "in their order, each with its count"},
)
def test_no_policy(kueue_cluster, provisioning):
    queue = provisioning.make_queue()

    workload = queue.submit(podSets=alike(kueue_cluster, 1, 2, 3))

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(1, 2, 3), clause="a")


@scenario(
    "PRC-042",
    "pod sets with different requests are not merged, also when they differ in a name alone that they share",
    requirement="provisioning-check#merging",
    shows="PA-063 PD-06",
    since="0.19",
    cases=cross(policy=(TEMPLATES, REQUIREMENTS)),
    clauses={"a": "each pod set by itself"},
)
def test_other_amounts(kueue_cluster, provisioning, policy):
    queue = provisioning.make_queue(merges=policy)

    workload = queue.submit(
        podSets=[kueue_cluster.pod_set("p0", 1, cpu="1"), kueue_cluster.pod_set("p1", 2, cpu="2")]
    )

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(1, 2), clause="a")


@scenario(
    "PRC-043",
    "a pod set without pods does not keep its neighbours apart",
    requirement="provisioning-check#merging",
    shows="TB-01 TB-02 TB-03",
    since="0.19",
    cases=rows("counts", ("0-1-2",), ("1-0-2",)),
    clauses={"a": "both neighbours are one"},
)
def test_empty_between(kueue_cluster, provisioning, counts):
    queue = provisioning.make_queue(merges=TEMPLATES)

    workload = queue.submit(podSets=alike(kueue_cluster, *map(int, counts.split("-"))))

    within("react", lambda: workload.request(queue.checks[0]).has_pod_counts(3), clause="a")


@scenario(
    "PRC-044",
    "the pods of every merged pod set, or those of the first one alone, are annotated to consume the request",
    requirement="provisioning-check#quirks",
    shows="PA-088 RG-K02 PD-06",
    level="may",
    since="0.19",
    clauses={"a": "all, or the first"},
)
def test_updates_of_merged_pod_sets(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(merges=TEMPLATES)
    workload = provisioning.submit_until_requested(queue, podSets=alike(kueue_cluster, 1, 2))
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    either(
        "react",
        {
            "all": lambda: workload.has_pods_consuming(request, "p0", "p1"),
            "the first": lambda: workload.has_pods_consuming(request, "p0"),
        },
        clause="a",
    )


@scenario(
    "PRC-045",
    "pod sets on different flavors are requested apart, or all of them on the flavor of the first",
    requirement="provisioning-check#quirks",
    shows="PA-064 RG-K41 PD-06",
    level="may",
    since="0.19",
    clauses={"a": "apart, or together"},
)
def test_merge_over_flavors(kueue_cluster, provisioning):
    queue = provisioning.make_queue(merges=TEMPLATES, cpu=("1", "2"), queue={"flavors": 2})

    workload = queue.submit(podSets=alike(kueue_cluster, 1, 2))

    request = workload.request(queue.checks[0])
    either(
        "react",
        {"apart": lambda: request.has_pod_counts(1, 2), "together": lambda: request.has_pod_counts(3)},
        clause="a",
    )
