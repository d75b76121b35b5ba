"""ADM: what a user leaves out is filled in
(AC-007, AC-035…044, AC-071, AC-072, AC-084, AC-091…099, AC-185).
"""

from kueue_conformance import cross, scenario, within

SEARCHES = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"}
NEVER = {
    "reclaimWithinCohort": "Never",
    "borrowWithinCohort": {"policy": "Never"},
    "withinClusterQueue": "Never",
}
TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}}
WEIGHED = {"fairSharing": {"weight": "1"}}
# What is left out → the kind, what is given, and what is there then.
LEFT_OUT = {
    "queueing-strategy": ("ClusterQueue", {}, {"queueingStrategy": "BestEffortFIFO"}),
    "stop-policy": ("ClusterQueue", {}, {"stopPolicy": "None"}),
    "flavor-fungibility": ("ClusterQueue", {}, {"flavorFungibility": SEARCHES}),
    "preemption": ("ClusterQueue", {}, {"preemption": NEVER}),
    "weight": ("ClusterQueue", {"fairSharing": {}}, WEIGHED),
    "stop-policy-of-users": ("LocalQueue", {"clusterQueue": "none"}, {"stopPolicy": "None"}),
    "weight-of-users": ("LocalQueue", {"clusterQueue": "none", "fairSharing": {}}, WEIGHED),
    "weight-of-cohort": ("Cohort", {"fairSharing": {}}, WEIGHED),
    "active": ("Workload", {"podSets": [{"template": TEMPLATE}]}, {"active": True}),
}


def field(spec, name):
    """Return a field of a spec; a weight is a quantity, which may be written as a number as well."""
    value = spec.get(name)
    weight = {"weight": str(value["weight"])} if isinstance(value, dict) and "weight" in value else {}
    return {**value, **weight} if weight else value


@scenario(
    "ADM-455",
    "a field of a spec that is left out has its default",
    requirement="kueue-api#defaults",
    shows="AC-035 AC-037 AC-038 AC-043 AC-044 AC-071 AC-072 AC-099 AC-185",
    since="0.9",
    cases=cross(left_out=tuple(LEFT_OUT)),
    clauses={"a": "it is there"},
)
def test_default(kueue_cluster, left_out):
    kind, fields, filled = LEFT_OUT[left_out]

    spec = kueue_cluster.make_object(kind, spec=fields).spec

    assert {name: field(spec, name) for name in filled} == filled, f"a: {spec}"


@scenario(
    "ADM-456",
    "a pod set without name and count is one pod, called main",
    requirement="kueue-api#defaults",
    shows="AC-091 AC-093",
    since="0.15",
    clauses={"a": "its name", "b": "its count", "c": "a count of zero is stored"},
)
def test_default_pod_set(kueue_cluster):
    pod_sets = [{"template": TEMPLATE}, {"name": "none", "count": 0, "template": TEMPLATE}]

    first, second = kueue_cluster.make_object("Workload", spec={"podSets": pod_sets}).spec["podSets"]

    assert first.get("name") == "main", f"a: {first}"
    assert first.get("count") == 1, f"b: {first}"
    assert second.get("count") == 0, f"c: {second}"


@scenario(
    "ADM-457",
    "an object that another refers to has Kueue's finalizer from its creation on",
    requirement="kueue-api#defaults",
    shows="AC-007 AC-084",
    level="should",
    needs=("webhooks",),
    cases=cross(kind=("ClusterQueue", "ResourceFlavor")),
    clauses={"a": "it has the finalizer when it is created", "b": "an unused object is deleted all the same"},
)
def test_finalizer(kueue_cluster, kind):
    created = kueue_cluster.make_object(kind, spec={})

    created.delete()

    finalizers = created.creation_time["metadata"].get("finalizers")
    assert finalizers == ["kueue.x-k8s.io/resource-in-use"], f"a: {finalizers}"
    within("settle", created.is_gone, clause="b")
