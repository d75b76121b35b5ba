"""ADM: which flavor serves which pods (KEP-993, "Reserve quota"; AC-283, Q-150…Q-177)."""

from kueue_conformance import always, pairwise, rows, scenario, within

RESOURCES = ("cpu", "memory", "ephemeral-storage")
CONTAINER = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
SELECTED = {"kueue-conformance.dev/selected": "yes"}
TAINT = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}
TOLERATION = {"key": "example.com/dedicated", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}


@scenario(
    "ADM-243",
    "the second flavor is used when the first is full",
    requirement="kep-993#stage-one",
    shows="SC-003 AC-283",
    cases=pairwise(checks=(0, 1)),
    revision=2,
    clauses={"a": "the second flavor is assigned", "b": "and admitted only without checks"},
)
def test_second_flavor(make_queue, checks):
    queue = make_queue(checks=checks, flavors=2, cpu=("1", "2"))
    _, second = queue.flavors

    workload = queue.submit(cpu="2")

    within("reserve", lambda: workload.has_flavor(second) and queue.has_reserved_for(workload), clause="a")
    always(lambda: queue.has_reserved_for(workload), clause="b")


@scenario(
    "ADM-391",
    "the admission of a Workload has the flavor and the quantity of each resource of each pod set",
    requirement="kep-993#stage-one",
    shows="AC-110 AC-283 Q-177",
    cases=pairwise(checks=(0, 1)),
    clauses={"a": "ClusterQueue, pod sets, flavors, amounts and counts"},
)
def test_what_a_reservation_says(kueue_cluster, checks):
    small, large = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    quotas = {small: {"cpu": "2", "memory": "1Gi"}, large: {"cpu": "8", "memory": "8Gi"}}
    group = kueue_cluster.resource_group(quotas)
    queue = kueue_cluster.make_queue(checks, flavors=[small, large], resourceGroups=[group])

    workload = queue.submit(
        podSets=[
            kueue_cluster.pod_set("driver", cpu="500m", memory="1Gi"),
            kueue_cluster.pod_set("workers", 3, cpu="1", memory="1Gi"),
        ]
    )

    within(
        "reserve",
        lambda: workload.has_admission(
            queue,
            driver={
                "count": 1,
                "flavors": {"cpu": small, "memory": small},
                "resourceUsage": {"cpu": "500m", "memory": "1Gi"},
            },
            workers={
                "count": 3,
                "flavors": {"cpu": large, "memory": large},
                "resourceUsage": {"cpu": "3", "memory": "3Gi"},
            },
        ),
        clause="a",
    )


@scenario(
    "ADM-394",
    "every requested resource needs quota, and all resources of a group get one flavor",
    requirement="kep-993#stage-one",
    shows="Q-150 Q-154 AC-283",
    cases=rows(
        "example cpu memory",
        ("first-flavor-lacks-memory", "1", "4Gi"),
        ("first-flavor-lacks-cpu", "4", "1Gi"),
        ("first-flavor-lacks-both", "4", "4Gi"),
    ),
    clauses={"a": "both come from the second flavor"},
)
def test_resources_of_a_group(kueue_cluster, example, cpu, memory):
    first, second = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    quotas = {first: {"cpu": "2", "memory": "2Gi"}, second: {"cpu": "8", "memory": "8Gi"}}
    group = kueue_cluster.resource_group(quotas)
    queue = kueue_cluster.make_queue(flavors=[first, second], resourceGroups=[group])

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", cpu=cpu, memory=memory)])

    usage = {"flavors": {"cpu": second, "memory": second}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-395",
    "each resource group gets a flavor of its own",
    requirement="kep-993#stage-one",
    shows="Q-150 Q-154 AC-283",
    clauses={"a": "a flavor of each group is assigned"},
)
def test_two_groups(kueue_cluster):
    compute, full, memory = (kueue_cluster.make_flavor() for _ in range(3))
    groups = [
        kueue_cluster.resource_group({full: {"cpu": "1"}, compute: {"cpu": "4"}}),
        kueue_cluster.resource_group_of("memory", memory, amount="4Gi"),
    ]
    queue = kueue_cluster.make_queue(flavors=[full, compute, memory], resourceGroups=groups)

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", cpu="2", memory="1Gi")])

    usage = {"flavors": {"cpu": compute, "memory": memory}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-762",
    "a Job starts on the nodes of the flavors of all resource groups",
    requirement="kep-993#stage-one",
    shows="AC-333 AC-360",
    cases=pairwise(groups=(1, 2, 3)),
    clauses={"a": "its pods select the labels of each flavor"},
)
def test_labels_of_several_flavors(kueue_cluster, groups):
    labels = {resource: {f"example.com/{resource}": "yes"} for resource in RESOURCES[:groups]}
    flavors = {name: kueue_cluster.make_flavor(nodeLabels=label) for name, label in labels.items()}
    queue = kueue_cluster.make_queue(
        flavors=list(flavors.values()),
        resourceGroups=[kueue_cluster.resource_group_of(*covered) for covered in flavors.items()],
    )
    container = {**CONTAINER, "resources": {"requests": dict.fromkeys(flavors, "1")}}

    job = kueue_cluster.job_of(queue.submit("job", template={"containers": [container]}))

    within("admit", job.is_started, clause="a")
    for label in labels.values():
        within("settle", lambda label=label: job.has_in_template("nodeSelector", label), clause="a")


@scenario(
    "ADM-397",
    "the first flavor on whose nodes the pods may run is used",
    requirement="kep-993#stage-one",
    shows="Q-156 Q-158 Q-159 AC-283",
    cases=rows(
        "example spec flavor expected",
        ("first-of-two", {}, {}, "first"),
        (
            "node-selector-of-the-second",
            {"nodeSelector": SELECTED},
            {"nodeLabels": {"kueue-conformance.dev/selected": "no"}},
            "second",
        ),
        ("taint-of-the-first", {}, {"nodeTaints": [TAINT]}, "second"),
        ("tolerated-taint", {"tolerations": [TOLERATION]}, {"nodeTaints": [TAINT]}, "first"),
        (
            "another-value-is-tolerated",
            {"tolerations": [{**TOLERATION, "value": "no"}]},
            {"nodeTaints": [TAINT]},
            "second",
        ),
        (
            "another-key-is-tolerated",
            {"tolerations": [{**TOLERATION, "key": "example.com/other"}]},
            {"nodeTaints": [TAINT]},
            "second",
        ),
        (
            "another-effect-is-tolerated",
            {"tolerations": [{**TOLERATION, "effect": "NoExecute"}]},
            {"nodeTaints": [TAINT]},
            "second",
        ),
        (
            "every-value-is-tolerated",
            {"tolerations": [{"key": TAINT["key"], "operator": "Exists"}]},
            {"nodeTaints": [TAINT]},
            "first",
        ),
        (
            "one-of-two-taints-is-tolerated",
            {"tolerations": [TOLERATION]},
            {"nodeTaints": [TAINT, {**TAINT, "key": "example.com/other"}]},
            "second",
        ),
        ("node-selector-of-no-flavor", {"nodeSelector": SELECTED}, {}, "first"),
        ("tolerated-by-the-flavor", {}, {"nodeTaints": [TAINT], "tolerations": [TOLERATION]}, "first"),
        ("preferred-taint", {}, {"nodeTaints": [{**TAINT, "effect": "PreferNoSchedule"}]}, "first"),
    ),
    clauses={"a": "that flavor is assigned, and no other"},
)
def test_flavors_of_pods(kueue_cluster, example, spec, flavor, expected):
    first, second = kueue_cluster.make_flavor(**flavor), kueue_cluster.make_flavor()
    queue = kueue_cluster.make_queue(flavors=[first, second])

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec, cpu="1")])

    usage = {"flavors": {"cpu": {"first": first, "second": second}[expected]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-408",
    "a queue borrows, or tries the next flavor first, as its policy says",
    requirement="kep-993#stage-one",
    shows="Q-172 AC-036",
    cases=rows("policy expected", ("MayStopSearch", "first"), ("TryNextFlavor", "second")),
    clauses={"a": "that flavor is assigned"},
)
def test_flavor_fungibility(kueue_cluster, policy, expected):
    cohort, first, second = (
        kueue_cluster.names.name("cohort"),
        kueue_cluster.make_flavor(),
        kueue_cluster.make_flavor(),
    )
    kueue_cluster.make_queue(flavors=[first], cpu="4", cohortName=cohort)
    queue = kueue_cluster.make_queue(
        flavors=[first, second],
        cpu=("1", "4"),
        cohortName=cohort,
        flavorFungibility={"whenCanBorrow": policy},
    )

    workload = queue.submit(cpu="2")

    usage = {"flavors": {"cpu": {"first": first, "second": second}[expected]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-409",
    "a pod set that does not fit beside the others of its Workload gets the next flavor",
    requirement="kep-993#stage-one",
    shows="Q-153 Q-155 AC-283",
    clauses={"a": "two flavors serve the two pod sets"},
)
def test_flavors_of_pod_sets(kueue_cluster):
    queue = kueue_cluster.make_queue(flavors=2, cpu="2")
    first, second = queue.flavors

    workload = queue.submit(
        podSets=[
            kueue_cluster.pod_set("one", cpu="2"),
            kueue_cluster.pod_set("other", cpu="1"),
        ]
    )

    served = {"one": {"flavors": {"cpu": first}}, "other": {"flavors": {"cpu": second}}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, **served), clause="a")


REFUSED = "couldn't assign flavors to pod set main: "


@scenario(
    "ADM-578",
    "the messages about flavors that do not suit the pods have the recorded texts",
    requirement="kep-993#stage-one",
    shows="Q-158 Q-159 M-052 M-053 M-057",
    since="0.19",
    level="may",
    cases=rows(
        "example flavor text",
        (
            "a taint",
            {"nodeTaints": [TAINT]},
            REFUSED + "untolerated taint {{example.com/dedicated yes NoSchedule <nil>}} in flavor {flavor}",
        ),
        (
            "labels",
            {"nodeLabels": {"kueue-conformance.dev/selected": "no"}},
            REFUSED + "flavor {flavor} doesn't match node affinity",
        ),
    ),
    clauses={"a": "the condition has it"},
)
def test_texts_of_flavors(kueue_cluster, example, flavor, text):
    only = kueue_cluster.make_flavor(**flavor)
    queue = kueue_cluster.make_queue(flavors=[only])
    spec = {"labels": {"nodeSelector": SELECTED}}.get(example, {})

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec, cpu="1")])

    within("settle", lambda: workload.has_message("QuotaReserved", text.format(flavor=only)), clause="a")
