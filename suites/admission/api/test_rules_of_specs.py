"""ADM: fields that contradict each other or are ill-formed are refused (AC-030…046, AC-080…094, AC-131,
AC-160, AC-162, AC-180, AC-185).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

WEBHOOKS = ("webhooks",)
GROUPS, PODS, FLAVOR = "spec.resourceGroups", "spec.podSets", "ResourceFlavor"
RACK = {"nodeLabel": "example.com/rack"}


def quota(resource="cpu", **fields):
    return {"name": resource, "nominalQuota": 1} | fields


def group(*resources, covered=(), flavor="f"):
    """Return a resource group with one flavor of these quotas,
    which covers the same resources by default.
    """
    names = list(covered) or [resource["name"] for resource in resources]
    return {"coveredResources": names, "flavors": [{"name": flavor, "resources": list(resources)}]}


def many(flavors, groups):
    """Return groups with so many flavors each."""
    return [
        {
            "coveredResources": [f"r{at}"],
            "flavors": [
                {"name": f"f{at}-{number}", "resources": [quota(f"r{at}")]} for number in range(flavors)
            ],
        }
        for at in range(groups)
    ]


def offers(*groups, **fields):
    return {"resourceGroups": list(groups), **fields}


def taint(key="k", effect="NoSchedule", value="v"):
    return {"key": key, "value": value, "effect": effect}


def pods(requests=None, metadata=None, **fields):
    container = {
        "name": "c",
        "image": "registry.k8s.io/pause:3.10",
        "resources": {"requests": requests or {}},
    }
    return {
        "name": "main",
        "count": 2,
        "template": {"metadata": metadata or {}, "spec": {"containers": [container]}},
        **fields,
    }


def works(*pod_sets):
    return {"podSets": list(pod_sets)}


BORROWS, LENDS = quota(borrowingLimit=1), quota(lendingLimit=2)
SLICES = {"podSetSliceRequiredTopology": "example.com/rack", "podSetSliceSize": 2}
NEXT = dict.fromkeys(("whenCanBorrow", "whenCanPreempt"), "TryNextFlavor")
PREFERS = {"preference": "PreemptionOverBorrowing"}
WHOLE = {"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority"}}
MODE = {"admissionMode": "NoAdmissionFairSharing"}
# What is wrong → the kind, a spec that is, one beside it that is not, the code, and the field that is named.
RULES = {
    "fewer-resources": ("ClusterQueue", offers(group(quota(), covered=("cpu", "memory"))), offers(group(quota(), quota("memory"))), 422, f"{GROUPS}[0]"),
    "other-order": (
        "ClusterQueue", offers(group(quota("memory"), quota(), covered=("cpu", "memory"))), offers(group(quota(), quota("memory"))), 403,
        f"{GROUPS}[0].flavors[0].resources[0].name",
    ),
    "resource-twice": (
        "ClusterQueue", offers(group(quota()), group(quota(), flavor="g")), offers(group(quota()), group(quota("memory"), flavor="g")), 403,
        f"{GROUPS}[1].coveredResources[0]",
    ),
    "flavor-twice": (
        "ClusterQueue", offers(group(quota()), group(quota("memory"))), offers(group(quota()), group(quota("memory"), flavor="g")), 403,
        f"{GROUPS}[1].flavors[0].name",
    ),
    "resource-name": ("ClusterQueue", offers(group(quota("bad name"))), offers(group(quota("example.com/gpu"))), 403, f"{GROUPS}[0].coveredResources[0]"),
    "flavor-name": ("ClusterQueue", offers(group(quota(), flavor="Bad")), offers(group(quota(), flavor="a.b")), 422, f"{GROUPS}[0].flavors[0].name"),
    "too-many-flavors": ("ClusterQueue", offers(*many(52, 5)), offers(*many(51, 5)), 403, GROUPS),
    "preference": ("ClusterQueue", {"flavorFungibility": PREFERS}, {"flavorFungibility": {**NEXT, **PREFERS}}, 422, "spec.flavorFungibility"),
    "reclaims-nothing": ("ClusterQueue", {"preemption": {**WHOLE, "reclaimWithinCohort": "Never"}}, {"preemption": WHOLE}, 422, "spec.preemption"),
    "negative-weight": ("ClusterQueue", {"fairSharing": {"weight": "-1"}}, {"fairSharing": {"weight": "0"}}, 403, "spec.fairSharing"),
    "tiny-weight": ("ClusterQueue", {"fairSharing": {"weight": "1n"}}, {"fairSharing": {"weight": "2n"}}, 403, "spec.fairSharing"),
    "no-mode": ("ClusterQueue", {"admissionScope": {}}, {"admissionScope": MODE}, 422, "spec.admissionScope.admissionMode"),
    "alone-borrows": ("ClusterQueue", offers(group(BORROWS)), offers(group(BORROWS), cohortName="c"), 422, "spec"),
    "alone-lends": ("ClusterQueue", offers(group(LENDS)), offers(group(quota(lendingLimit=1)), cohortName="c"), 403, f"{GROUPS}[0].flavors[0].resources[0].lendingLimit"),
    "lends-more": (
        "ClusterQueue", offers(group(LENDS), cohortName="c"), offers(group(quota(lendingLimit=1)), cohortName="c"), 403,
        f"{GROUPS}[0].flavors[0].resources[0].lendingLimit",
    ),
    "negative-quota": ("ClusterQueue", offers(group(quota(nominalQuota=-1))), offers(group(quota(nominalQuota=0))), 403, f"{GROUPS}[0].flavors[0].resources[0].nominalQuota"),
    "bare-topology": (FLAVOR, {"topologyName": "t"}, {"topologyName": "t", "nodeLabels": {"k": "v"}}, 422, "spec"),
    "orphan-borrows": ("Cohort", offers(group(BORROWS)), offers(group(BORROWS), parentName="p"), 403, f"{GROUPS}[0].flavors[0].resources[0].borrowingLimit"),
    "orphan-lends": ("Cohort", offers(group(LENDS)), offers(group(LENDS), parentName="p"), 403, f"{GROUPS}[0].flavors[0].resources[0].lendingLimit"),
    "parent-name": ("Cohort", {"parentName": "Bad"}, {"parentName": "a.b"}, 422, "spec.parentName"),
    "node-label": (FLAVOR, {"nodeLabels": {"k": "bad value!"}}, {"nodeLabels": {"k": "v"}}, 403, "spec.nodeLabels"),
    "taint-effect": (FLAVOR, {"nodeTaints": [taint(effect="Never")]}, {"nodeTaints": [taint(effect="PreferNoSchedule")]}, 422, "spec.nodeTaints"),
    "taint-twice": (
        FLAVOR, {"nodeTaints": [taint(), taint(value="w")]}, {"nodeTaints": [taint(), taint(effect="NoExecute")]}, 403, "spec.nodeTaints[1]",
    ),
    "taint-key": (FLAVOR, {"nodeTaints": [taint("bad key!")]}, {"nodeTaints": [taint("example.com/k")]}, 403, "spec.nodeTaints[0].key"),
    "toleration": (FLAVOR, {"tolerations": [{"operator": "Equal", "value": "v"}]}, {"tolerations": [{"operator": "Exists"}]}, 422, "spec.tolerations"),
    "toleration-key": (FLAVOR, {"tolerations": [{"key": "bad key!", "value": "v"}]}, {"tolerations": [{"key": "k", "value": "v"}]}, 403, "spec.tolerations[0].key"),
    "no-template": ("Workload", works({"name": "main", "count": 1}), works(pods()), 422, f"{PODS}[0].template"),
    "resource-pods": ("Workload", works(pods({"pods": 1})), works(pods({"cpu": 1})), 403, f"{PODS}[0].template.spec.containers[0].resources.requests[pods]"),
    "negative-request": ("Workload", works(pods({"cpu": "-1"})), works(pods({"cpu": "0"})), 403, f"{PODS}[0].template.spec.containers[0].resources.requests[cpu]"),
    "template-label": ("Workload", works(pods(metadata={"labels": {"k": "bad value!"}})), works(pods(metadata={"labels": {"k": "v"}})), 403, f"{PODS}[0].template"),
    "pod-set-name": ("Workload", works(pods(name="a.b")), works(pods(name="a-b")), 422, f"{PODS}[0].name"),
    "negative-count": ("Workload", works(pods(count=-1)), works(pods(count=0)), 422, f"{PODS}[0].count"),
    "smallest-count": ("Workload", works(pods(minCount=-1)), works(pods(minCount=1)), 422, f"{PODS}[0].minCount"),
    "more-at-least": ("Workload", works(pods(minCount=3)), works(pods(minCount=2)), 422, f"{PODS}[0]"),
    "two-at-least": (
        "Workload", works(pods(minCount=1), pods(name="other", minCount=1)), works(pods(minCount=1), pods(name="other")), 403, PODS,
    ),
}  # fmt: skip


@scenario(
    "ADM-461",
    "a spec that breaks a rule is refused by the CRD or by a webhook, and a valid spec close to it is accepted",
    requirement="kueue-api#rules",
    since="0.15",
    needs=WEBHOOKS,
    cases=cross(example=tuple(RULES)),
    shows="AC-003 AC-030 AC-032 AC-033 AC-037 AC-038 AC-044 AC-045 AC-080 AC-081 AC-082 AC-083 AC-091 AC-092 AC-093 AC-094 AC-185 AC-006",
    clauses={"a": "422 or 403, naming the field", "b": "the valid one is accepted"},
)
def test_rule(kueue_cluster, example):
    kind, wrong, right, code, field = RULES[example]

    refused, taken = (kueue_cluster.try_to_make_object(kind, spec=spec) for spec in (wrong, right))

    assert refused.is_invalid(field) if code == 422 else refused.was_denied(field), f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"


@scenario(
    "ADM-562",
    "the ClusterQueue of a LocalQueue, and the topology of a ResourceFlavor with a topology, are immutable",
    requirement="kueue-api#rules",
    shows="AC-070 AC-083",
    since="0.15",
    revision=2,
    clauses={
        "a": "another ClusterQueue is refused",
        "b": "another topology is refused",
        "c": "an update without a change is accepted",
    },
)
def test_what_others_rely_on_is_immutable(kueue_cluster):
    local = kueue_cluster.make_object("LocalQueue", spec={"clusterQueue": "one"})
    flavor = kueue_cluster.make_object(FLAVOR, spec={"topologyName": "t", "nodeLabels": {"k": "v"}})

    moved = local.try_to_change(spec={"clusterQueue": "two"})
    elsewhere = flavor.try_to_change(spec={"topologyName": "u"})
    same = local.try_to_change(spec={"clusterQueue": "one"})

    assert moved.is_invalid("spec.clusterQueue"), f"a: {moved}"
    assert elsewhere.is_invalid("spec"), f"b: {elsewhere}"
    assert same.is_accepted, f"c: {same}"


@scenario(
    "ADM-784",
    "up to v0.19 the labels of a ResourceFlavor with a topology are immutable",
    requirement="kueue-api#rules",
    shows="AC-083",
    since="0.15",
    until="<0.20.0-devel",
    clauses={"a": "other labels are refused", "b": "without a topology they are taken"},
)
def test_labels_with_a_topology_are_immutable(kueue_cluster):
    labels = {"nodeLabels": {"k": "v"}}
    flavor = kueue_cluster.make_object(FLAVOR, spec={"topologyName": "t", **labels})
    plain = kueue_cluster.make_object(FLAVOR, spec=labels)

    refused, taken = (item.try_to_change(spec={"nodeLabels": {"k": "w"}}) for item in (flavor, plain))

    assert refused.is_invalid("spec"), f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"


@scenario(
    "ADM-785",
    "from v0.20 on the labels and tolerations of a ResourceFlavor with a topology may change, all its labels not go",
    requirement="kueue-api#rules",
    shows="KV-22 AC-083",
    since="0.20.0-devel",
    clauses={"a": "other labels and tolerations are taken", "b": "no labels at all are refused"},
)
def test_labels_with_a_topology_may_change(kueue_cluster):
    flavor = kueue_cluster.make_object(FLAVOR, spec={"topologyName": "t", "nodeLabels": {"k": "v"}})

    changed = flavor.try_to_change(
        spec={"nodeLabels": {"k": "w"}, "tolerations": [{"key": "k", "operator": "Exists"}]}
    )
    bare = flavor.try_to_change(spec={"nodeLabels": {"k": None}})

    assert changed.is_accepted, f"a: {changed}"
    assert bare.is_invalid("spec"), f"b: {bare}"


@scenario(
    "ADM-786",
    "from v0.20 on the levels of a Topology may change while its lowest one is the host",
    requirement="kueue-api#rules",
    shows="KV-23 AC-131",
    since="0.20.0-devel",
    clauses={
        "a": "with the host as the lowest level before and after they change",
        "b": "without it, before or after, they do not",
    },
)
def test_levels_of_a_topology(kueue_cluster):
    host = {"nodeLabel": "kubernetes.io/hostname"}
    hosts, racks = (
        kueue_cluster.make_object("Topology", spec={"levels": levels}) for levels in ([host], [RACK])
    )

    added = hosts.try_to_change(spec={"levels": [RACK, host]})
    ended = hosts.try_to_change(spec={"levels": [RACK]})
    begun = racks.try_to_change(spec={"levels": [RACK, host]})

    assert added.is_accepted, f"a: {added}"
    assert ended.is_invalid("spec.levels"), f"b: {ended}"
    assert begun.is_invalid("spec.levels"), f"b: {begun}"


@scenario(
    "ADM-787",
    "from v0.20 on a size of slices is 1 or more and a count of groups 0 or more",
    requirement="kueue-api#limits",
    shows="KV-24",
    since="0.20.0-devel",
    gates=("TASValidateWorkloadSliceSize",),
    needs=("webhooks",),
    cases=rows("field least", ("podSetSliceSize", 1), ("subGroupCount", 0)),
    revision=3,
    clauses={
        "a": "one less is refused",
        "b": "the least is taken",
        "c": "a size of slices without their topology is refused",
    },
)
def test_sizes_in_a_topology(kueue_cluster, field, least):
    refused, taken = (
        kueue_cluster.try_to_create("Workload", works(pods(topologyRequest={**SLICES, field: value})))
        for value in (least - 1, least)
    )

    size_alone = kueue_cluster.try_to_create("Workload", works(pods(topologyRequest={"podSetSliceSize": 2})))

    assert refused.is_invalid(f"spec.podSets[0].topologyRequest.{field}"), f"a: {refused}"
    assert taken.is_accepted, f"b: {taken}"
    assert size_alone.was_denied("spec.podSets[0].topologyRequest.podSetSliceSize"), f"c: {size_alone}"


@scenario(
    "ADM-788",
    "a minCount of 0 is refused, or taken",
    requirement="kueue-api#quirks",
    shows="KV-59",
    since="0.15",
    level="may",
    clauses={"a": "it is refused, or taken", "b": "less than 0 is refused"},
)
def test_no_pods_would_do(kueue_cluster):
    none, negative = (
        kueue_cluster.try_to_create("Workload", works(pods(minCount=least))) for least in (0, -1)
    )

    field = "spec.podSets[0].minCount"
    either(
        "react",
        {"it is refused": lambda: none.is_invalid(field), "it is taken": lambda: none.is_accepted},
        until={"it is refused": "<0.20.0"},
        clause="a",
    )
    assert negative.is_invalid(field), f"b: {negative}"


@scenario(
    "ADM-462",
    "an update of a Workload's spec is validated together with its status",
    requirement="kueue-api#rules",
    shows="AC-160",
    since="0.15",
    needs=WEBHOOKS,
    clauses={"a": "fewer pods than are reclaimable are refused", "b": "as many are accepted"},
)
def test_spec_and_status_together(kueue_cluster):
    workload = kueue_cluster.make_object("Workload", spec=works(pods(count=4)))
    given_back = workload.try_to_change(status={"reclaimablePods": [{"name": "main", "count": 3}]})

    fewer, as_many = (workload.try_to_change(spec=works(pods(count=count))) for count in (2, 3))

    assert fewer.was_denied("status.reclaimablePods[main].count"), f"a: {fewer}"
    assert (given_back.is_accepted, as_many.is_accepted) == (True, True), f"b: {given_back} {as_many}"


@scenario(
    "ADM-463",
    "the cluster of a Workload is one of its nominated clusters, and does not change",
    requirement="kueue-api#rules",
    shows="AC-131 AC-162",
    since="0.15",
    needs=WEBHOOKS,
    clauses={
        "a": "another one is refused",
        "b": "both fields at once are refused",
        "c": "a nominated one is accepted",
        "d": "it does not change",
    },
)
def test_cluster_of_a_workload(kueue_cluster):
    workload = kueue_cluster.make_object("Workload", spec=works(pods()))
    workload.try_to_change(status={"nominatedClusterNames": ["one", "two"]})

    other = workload.try_to_change(status={"clusterName": "three", "nominatedClusterNames": None})
    both = workload.try_to_change(status={"clusterName": "two"})
    nominated = workload.try_to_change(status={"clusterName": "two", "nominatedClusterNames": None})
    moved = workload.try_to_change(status={"clusterName": "one"})

    assert other.was_denied("status.clusterName"), f"a: {other}"
    assert both.is_invalid("status"), f"b: {both}"
    assert nominated.is_accepted, f"c: {nominated}"
    assert moved.is_invalid("status"), f"d: {moved}"


@scenario(
    "ADM-464",
    "the concurrentAdmissionPolicy of a ClusterQueue is set at its creation and does not change",
    requirement="kueue-api#rules",
    shows="AC-046",
    since="0.18",
    needs=WEBHOOKS,
    clauses={"a": "it cannot be changed or removed", "b": "it cannot be added later"},
)
def test_concurrent_admission_is_immutable(kueue_cluster):
    policy = lambda mode: {"concurrentAdmissionPolicy": {"migration": {"mode": mode}}}  # noqa: E731
    with_one = kueue_cluster.make_object("ClusterQueue", spec=policy("RetainFirstAdmission"))
    without = kueue_cluster.make_object("ClusterQueue", spec={})

    changed = with_one.try_to_change(spec=policy("TryPreferredFlavors"))
    taken_away = with_one.try_to_change(spec={"concurrentAdmissionPolicy": None})
    added = without.try_to_change(spec=policy("RetainFirstAdmission"))

    assert changed.was_denied("spec.concurrentAdmissionPolicy"), f"a: {changed}"
    assert taken_away.was_denied("spec.concurrentAdmissionPolicy"), f"a: {taken_away}"
    assert added.was_denied("spec.concurrentAdmissionPolicy"), f"b: {added}"


@scenario(
    "ADM-465",
    "a new value of a WorkloadPriorityClass reaches the Workloads that use it",
    requirement="kueue-api#rules",
    shows="AC-180",
    since="0.15",
    clauses={
        "a": "a class needs a value, and its description has a limit",
        "b": "the value may change",
        "c": "Workloads of the class get it",
        "d": "those of another class do not",
    },
)
def test_priority_class(kueue_cluster):
    created, other = (kueue_cluster.make_object("WorkloadPriorityClass", value=value) for value in (100, 200))
    workloads = [
        kueue_cluster.make_object(
            "Workload",
            spec={
                **works(pods()),
                "priority": priority_class.object["value"],
                "priorityClassRef": {
                    "group": "kueue.x-k8s.io",
                    "kind": "WorkloadPriorityClass",
                    "name": priority_class.name,
                },
            },
        )
        for priority_class in (created, other)
    ]

    nothing = kueue_cluster.try_to_make_object("WorkloadPriorityClass")
    long = kueue_cluster.try_to_make_object("WorkloadPriorityClass", value=1, description="a" * 2049)
    limit = kueue_cluster.try_to_make_object("WorkloadPriorityClass", value=1, description="a" * 2048)
    changed = created.try_to_change(value=300)

    assert nothing.is_invalid("value"), f"a: {nothing}"
    assert (long.is_invalid("description"), limit.is_accepted) == (True, True), f"a: {long} {limit}"
    assert changed.is_accepted, f"b: {changed}"
    within("react", lambda: workloads[0].has_fields(priority=300), clause="c")
    always(lambda: workloads[1].has_fields(priority=200), clause="d")
