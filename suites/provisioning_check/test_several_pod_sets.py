"""PRC: a Workload of several pod sets that differ in everything: flavor, count, containers, tolerations and
node selectors (PA-040, PA-041, PA-062, PA-063, PA-065, PA-085, PA-087, PA-089).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

PAUSE, GPU, ZONE = "registry.k8s.io/pause:3.10", "example.com/gpu", "example.com/zone"
NUMBERS = (2, 3, 5)
TEMPLATES, REQUIREMENTS = "IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"
SPOT = {"key": "example.com/spot", "operator": "Exists", "effect": "NoSchedule"}


def container(name, **resources):
    """Return a container with these requests or limits."""
    return {"name": name, "image": PAUSE, "resources": resources}


SHAPES = (
    {},
    {"initContainers": [container("fetch", requests={"cpu": "20m"})]},
    {
        "containers": [
            container("train", requests={"cpu": "300m"}),
            container("export", limits={"cpu": "30m"}),
        ]
    },
    {"nodeSelector": {"example.com/disk": "fast"}},
    {"tolerations": [SPOT]},
)
"""What the pods of a pod set have besides, in turn."""


def make_member(kueue_cluster, provisioning, at, shape):
    """Return a pod set of this shape on a flavor of its own, whose taint no other pods tolerate."""
    taint = {"key": "example.com/pool", "value": f"pool-{at}", "effect": "NoSchedule"}
    added = {"key": f"example.com/added-{at}", "operator": "Exists", "effect": "NoSchedule"}
    flavor = kueue_cluster.make_flavor(nodeTaints=[taint], tolerations=[added])
    spec = {**shape, "tolerations": [*shape.get("tolerations", ()), {**taint, "operator": "Equal"}]}
    pod_set = kueue_cluster.pod_set(f"p{at}", at + 1, cpu=f"{at + 1}00m", spec=spec)
    return provisioning.pod_set_on(flavor, pod_set, added)


def make_members(kueue_cluster, provisioning, number, order):
    """Return so many pod sets of which no two agree in anything, each with one pod more than the last."""
    shapes = SHAPES[:number] if order == "forwards" else SHAPES[:number][::-1]
    return [make_member(kueue_cluster, provisioning, at, shape) for at, shape in enumerate(shapes)]


def without_machines(members, at, how):
    """Return the pod sets of a Workload, of which one is `empty` or has `unmanaged` resources alone."""
    pod_sets = [member.pod_set for member in members]
    if how == "empty":
        pod_sets[at] = {**pod_sets[at], "count": 0}
    if how == "unmanaged":
        tolerations = pod_sets[at]["template"]["spec"]["tolerations"]
        idle = {"containers": [container("main")], "tolerations": tolerations}
        pod_sets[at] = {**pod_sets[at], "template": {"spec": idle}}
    return pod_sets


@scenario(
    "PRC-250",
    "each PodTemplate of a request has the pods of its own pod set, for the flavor of that pod set",
    requirement=(
        "provisioning-check#templates",
        "provisioning-check#what-is-asked-for",
        "provisioning-check#pod-set-updates",
    ),
    shows="PA-040 PA-041 PA-062 PA-065 PA-085 PA-087 PA-089",
    since="0.19",
    cases=pairwise(
        number=NUMBERS,
        missing=("nothing", "empty", "reclaimed", "unmanaged"),
        position=("first", "last"),
        order=("forwards", "backwards"),
    ),
    clauses={
        "a": "the pod sets are requested in their order, without the one whose pods need no machines",
        "b": "each with its count, its containers, and node selector and tolerations of itself and its flavor",
        "c": "pods of each requested pod set are annotated, and of no others",
        "d": "they run on the provided nodes",
        "e": "it is admitted",
    },
)
def test_template_of_each_pod_set(kueue_cluster, provisioning, autoscaler, number, missing, position, order):
    members = make_members(kueue_cluster, provisioning, number, order)
    spared = members[0 if position == "first" else -1]
    flavors = {"flavors": [member.flavor for member in members]}
    queue = provisioning.make_queue(
        cpu=("0",) * number, queue=flavors, manages=("cpu",), node_labels={ZONE: "zone"}
    )
    check = queue.checks[0]
    workload = queue.submit(podSets=without_machines(members, members.index(spared), missing))
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    if missing == "reclaimed":
        workload.set_reclaimable_pods(spared.count, spared.name)

    queue.set_quota("10")

    requested = [member for member in members if missing == "nothing" or member is not spared]
    names = [member.name for member in requested]
    request = workload.request(check)
    within("react", lambda: request.has_pod_counts(*[member.count for member in requested]), clause="a")
    within("react", lambda: request.has_templates_of(requested), clause="b")
    autoscaler.provision(request, details={"zone": "north"})
    within("admit", workload.is_admitted, clause="e")
    always(lambda: workload.has_pods_consuming(request, *names), clause="c")
    always(lambda: workload.has_node_selectors(check, {ZONE: "north"}, *names), clause="d")


@scenario(
    "PRC-251",
    "alike pod sets are merged wherever they stand, and the first of them gives the pods",
    requirement="provisioning-check#merging",
    shows="PA-063 TB-47 TB-48",
    since="0.19",
    cases=rows(
        "policy pattern counts",
        (TEMPLATES, "aba", (4, 2)),
        (TEMPLATES, "abcab", (5, 7, 3)),
        (REQUIREMENTS, "aba", (4, 2)),
        (REQUIREMENTS, "aabba", (8, 7)),
    ),
    clauses={
        "a": "a request for the sum of their pods, in the order of the first of each",
        "b": "the pods of the first of each",
    },
)
def test_alike_pod_sets_apart(kueue_cluster, provisioning, policy, pattern, counts):
    queue = provisioning.make_queue(merges=policy)
    flavor = queue.flavors[0]
    # Pods that differ in the name of their container alone have the same requirements.
    names = pattern if policy == TEMPLATES else "vwxyz"
    pod_sets = [
        kueue_cluster.pod_set(f"p{at}", at + 1, spec={"containers": [container(names[at], requests=amount)]})
        for at, amount in enumerate({"cpu": f"{ord(letter)}m"} for letter in pattern)
    ]

    workload = queue.submit(podSets=pod_sets)

    firsts = [pod_sets[pattern.index(letter)] for letter in dict.fromkeys(pattern)]
    members = [
        provisioning.pod_set_on(flavor, {**pod_set, "count": count})
        for pod_set, count in zip(firsts, counts, strict=True)
    ]
    request = workload.request(queue.checks[0])
    within("react", lambda: request.has_pod_counts(*counts), clause="a")
    within("react", lambda: request.has_templates_of(members), clause="b")


USES = (("cpu",), ("cpu", GPU), (GPU,), ("cpu",), ())
"""The resources that pods use, by the position of their pod set."""


FORMS = {"requests": ("requests", "limits"), "limits": ("limits",)}
"""Where pods name what they use; a request of a device without its limit is no valid pod."""


def using(form, resources):
    """Return the spec of pods that use these resources."""
    amounts = dict.fromkeys(resources, "1")
    return {"containers": [container("main", **dict.fromkeys(FORMS[form], amounts))]}


@scenario(
    "PRC-252",
    "each of several checks has a request for the pod sets that use the resources that it manages",
    requirement=("provisioning-check#need", "provisioning-check#pod-set-updates"),
    shows="PA-040 PA-062 PA-085 PA-089",
    since="0.19",
    cases=pairwise(order=("cpu first", "gpu first"), form=tuple(FORMS)),
    clauses={
        "a": "a request for those that use its resources, in their order",
        "b": "each for their own pods",
        "c": "their pods are annotated for it, and no others",
        "d": "it is admitted when both have their machines",
    },
)
def test_resources_of_each_check(kueue_cluster, provisioning, autoscaler, order, form):
    managed = ("cpu", GPU) if order == "cpu first" else (GPU, "cpu")
    checks = [provisioning.make_active_check(manages=(resource,)) for resource in managed]
    flavor = kueue_cluster.make_flavor()
    groups = [kueue_cluster.resource_group({flavor: {"cpu": "20", GPU: "20"}})]
    queue = kueue_cluster.make_queue(checks, flavors=[flavor], resourceGroups=groups)
    members = [
        provisioning.pod_set_on(flavor, kueue_cluster.pod_set(f"p{at}", at + 1, spec=using(form, resources)))
        for at, resources in enumerate(USES)
    ]

    workload = queue.submit(podSets=[member.pod_set for member in members])

    for check, resource in zip(checks, managed, strict=True):
        requested = [member for member, resources in zip(members, USES, strict=True) if resource in resources]
        counts, request = [member.count for member in requested], workload.request(check)
        within("react", lambda request=request, counts=counts: request.has_pod_counts(*counts), clause="a")
        within("react", lambda request=request, of=requested: request.has_templates_of(of), clause="b")
        autoscaler.provision(request)
        names = [member.name for member in requested]
        within(
            "react",
            lambda request=request, names=names: workload.has_pods_consuming(request, *names),
            clause="c",
        )
    within("admit", workload.is_admitted, clause="d")
