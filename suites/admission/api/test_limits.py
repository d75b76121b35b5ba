"""ADM: words that a field knows, and how long a list or a name may be (AC-017, AC-030…047, AC-071…101,
AC-128…132, AC-180, AC-185).
"""

from kueue_conformance import cross, scenario

TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}}
THEN = "2024-01-01T00:00:00Z"
SEARCHES = ("MayStopSearch", "TryNextFlavor")
STOPS = ("None", "Hold", "HoldAndDrain")
PREFERENCES = ("BorrowingOverPreemption", "PreemptionOverBorrowing")
NEXT = dict.fromkeys(("whenCanBorrow", "whenCanPreempt"), "TryNextFlavor")
# What has words of its own → the kind, its spec with a word, and the words.
WORDS = {
    "queueingStrategy": ("ClusterQueue", lambda word: {"queueingStrategy": word}, ("StrictFIFO", "BestEffortFIFO")),
    "stopPolicy": ("ClusterQueue", lambda word: {"stopPolicy": word}, STOPS),
    "whenCanBorrow": ("ClusterQueue", lambda word: {"flavorFungibility": {"whenCanBorrow": word}}, SEARCHES),
    "whenCanPreempt": ("ClusterQueue", lambda word: {"flavorFungibility": {"whenCanPreempt": word}}, SEARCHES),
    "preference": ("ClusterQueue", lambda word: {"flavorFungibility": {**NEXT, "preference": word}}, PREFERENCES),
    "reclaimWithinCohort": (
        "ClusterQueue", lambda word: {"preemption": {"reclaimWithinCohort": word}}, ("Never", "LowerPriority", "Any"),
    ),
    "withinClusterQueue": (
        "ClusterQueue", lambda word: {"preemption": {"withinClusterQueue": word}},
        ("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
    ),
    "borrowWithinCohort": (
        "ClusterQueue", lambda word: {"preemption": {"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": word}}},
        ("Never", "LowerPriority"),
    ),
    "admissionMode": (
        "ClusterQueue", lambda word: {"admissionScope": {"admissionMode": word}},
        ("UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing"),
    ),
    "stopPolicy-of-users": ("LocalQueue", lambda word: {"clusterQueue": "none", "stopPolicy": word}, STOPS),
}  # fmt: skip


@scenario(
    "ADM-458",
    "an enum field accepts each of its values, one after another, and no other value",
    requirement="kueue-api#limits",
    shows="AC-035 AC-037 AC-038 AC-043 AC-045 AC-071",
    since="0.15",
    cases=cross(word_name=tuple(WORDS)),
    clauses={
        "a": "each value is accepted in place of the one before",
        "b": "another value is refused with 422",
    },
)
def test_words(kueue_cluster, word_name):
    kind, spec_with, (first, *later_words) = WORDS[word_name]
    created = kueue_cluster.make_object(kind, spec=spec_with(first))

    later = [created.try_to_change(spec=spec_with(word)) for word in (*later_words, first)]
    unknown = created.try_to_change(spec=spec_with("Sometimes"))

    assert all(answer.is_accepted for answer in later), f"a: {later}"
    assert unknown.is_invalid("spec"), f"b: {unknown}"


def groups(number, flavors=1):
    """Return resource groups, each of one resource."""
    return [
        {
            "coveredResources": [f"example.com/r{at}"],
            "flavors": [
                {"name": f"f{at}-{flavor}", "resources": [{"name": f"example.com/r{at}", "nominalQuota": 1}]}
                for flavor in range(flavors)
            ],
        }
        for at in range(number)
    ]


def on_flavors(number):
    """Return groups with so many flavors, and a check for each of them."""
    first = min(number, 64)
    quotas = [*groups(1, first), *groups(2, number - first)[1:]] if number > first else groups(1, first)
    names = [flavor["name"] for group in quotas for flavor in group["flavors"]]
    return {
        "resourceGroups": quotas,
        "admissionChecksStrategy": {"admissionChecks": [{"name": "c", "onFlavors": names}]},
    }


def pod_sets(number, **fields):
    return {
        "podSets": [{"name": f"p{at}", "count": 1, "template": TEMPLATE, **fields} for at in range(number)]
    }


def topology(name):
    return lambda length: pod_sets(1, topologyRequest={name: "a" * length})


GROUPS, PODS, FLAVOR = "spec.resourceGroups", "spec.podSets", "ResourceFlavor"
TOLERATIONS = lambda number: [{"key": f"k{at}", "operator": "Exists"} for at in range(number)]  # noqa: E731
TAINTS = lambda number: [  # noqa: E731
    {"key": f"k{at}", "value": "v", "effect": "NoSchedule"} for at in range(number)
]
# What has a limit → the kind, its spec of a size, the limit, and the field that is named.
SPECS = {
    "resource-groups": ("ClusterQueue", lambda n: {"resourceGroups": groups(n)}, 16, GROUPS),
    "flavors": ("ClusterQueue", lambda n: {"resourceGroups": groups(1, n)}, 64, f"{GROUPS}[0].flavors"),
    "flavors-of-a-check": ("ClusterQueue", on_flavors, 64, "spec.admissionChecksStrategy.admissionChecks[0].onFlavors"),
    "groups-of-a-cohort": ("Cohort", lambda n: {"resourceGroups": groups(n)}, 16, GROUPS),
    "parent-of-a-cohort": ("Cohort", lambda n: {"parentName": "a" * n}, 253, "spec.parentName"),
    "labels": (FLAVOR, lambda n: {"nodeLabels": {f"k{at}": "v" for at in range(n)}}, 8, "spec.nodeLabels"),
    "taints": (FLAVOR, lambda n: {"nodeTaints": TAINTS(n)}, 8, "spec.nodeTaints"),
    "tolerations": (FLAVOR, lambda n: {"tolerations": TOLERATIONS(n)}, 8, "spec.tolerations"),
    "pod-sets": ("Workload", pod_sets, 18, PODS),
    "pod-set-name": ("Workload", lambda n: pod_sets(1, name="a" * n), 63, f"{PODS}[0].name"),
    "required-topology": ("Workload", topology("required"), 63, f"{PODS}[0].topologyRequest.required"),
    "pod-index-label": ("Workload", topology("podIndexLabel"), 317, f"{PODS}[0].topologyRequest.podIndexLabel"),
    "pod-set-group": ("Workload", topology("podSetGroupName"), 256, f"{PODS}[0].topologyRequest.podSetGroupName"),
    "preemption-gates": (
        "Workload", lambda n: {**pod_sets(1), "preemptionGates": [{"name": f"g{at}"} for at in range(n)]}, 8, "spec.preemptionGates",
    ),
    "preemption-gate": (
        "Workload", lambda n: {**pod_sets(1), "preemptionGates": [{"name": "g" * n}]}, 63, "spec.preemptionGates[0].name",
    ),
}  # fmt: skip


@scenario(
    "ADM-459",
    "a list or a name in a spec may be as long as its limit, and no longer",
    requirement="kueue-api#limits",
    shows="AC-030 AC-032 AC-040 AC-080 AC-081 AC-082 AC-090 AC-091 AC-095 AC-101 AC-185",
    since="0.15",
    cases=cross(example=tuple(SPECS)),
    clauses={"a": "the limit is taken", "b": "one more is refused with 422, naming the field"},
)
def test_limit_of_a_spec(kueue_cluster, example):
    kind, spec_of, limit, field = SPECS[example]

    at_limit = kueue_cluster.try_to_make_object(kind, spec=spec_of(limit))
    beyond = kueue_cluster.try_to_make_object(kind, spec=spec_of(limit + 1))

    assert at_limit.is_accepted, f"a: {at_limit}"
    assert beyond.is_invalid(field), f"b: {beyond}"


def conditions(number):
    condition = {"status": "True", "reason": "Testing", "message": "", "lastTransitionTime": THEN}
    return {"conditions": [{"type": f"T{at}", **condition} for at in range(number)]}


def evictions(number):
    evictions = [{"reason": f"R{at}", "underlyingCause": "", "count": 1} for at in range(number)]
    return {"schedulingStats": {"evictions": evictions}}


GATE = {"position": "Closed", "lastTransitionTime": THEN}
# What has a limit → the kind, its status of a size, the limit, and the field that is named.
STATUSES = {
    "conditions-of-a-check": ("AdmissionCheck", conditions, 16, "status.conditions"),
    "conditions-of-a-cluster-queue": ("ClusterQueue", conditions, 16, "status.conditions"),
    "conditions-of-a-local-queue": ("LocalQueue", conditions, 16, "status.conditions"),
    "requests": ("Workload", lambda n: {"resourceRequests": [{"name": f"p{at}"} for at in range(n)]}, 18, "status.resourceRequests"),
    "evictions": ("Workload", evictions, 256, "status.schedulingStats.evictions"),
    "nominated": ("Workload", lambda n: {"nominatedClusterNames": [f"c{at}" for at in range(n)]}, 20, "status.nominatedClusterNames"),
    "nodes": ("Workload", lambda n: {"unhealthyNodes": [{"name": f"n{at}"} for at in range(n)]}, 8, "status.unhealthyNodes"),
    "gates": (
        "Workload", lambda n: {"preemptionGates": [{"name": f"g{at}", **GATE} for at in range(n)]}, 8, "status.preemptionGates",
    ),
}  # fmt: skip
SPEC_OF = {
    "LocalQueue": {"clusterQueue": "none"},
    "AdmissionCheck": {"controllerName": "example.com/other"},
    "Workload": pod_sets(1),
}


@scenario(
    "ADM-460",
    "a list in a status may be as long as its limit, and no longer",
    requirement="kueue-api#limits",
    shows="AC-017 AC-047 AC-073 AC-128 AC-130 AC-131 AC-132",
    since="0.15",
    cases=cross(example=tuple(STATUSES)),
    clauses={"a": "the limit is taken", "b": "one more is refused with 422, naming the field"},
)
def test_limit_of_a_status(kueue_cluster, example):
    kind, status_of, limit, field = STATUSES[example]
    created = kueue_cluster.make_object(kind, spec=SPEC_OF.get(kind, {}))

    beyond = created.try_to_change(status=status_of(limit + 1))
    at_limit = created.try_to_change(status=status_of(limit))

    assert at_limit.is_accepted, f"a: {at_limit}"
    assert beyond.is_invalid(field), f"b: {beyond}"
