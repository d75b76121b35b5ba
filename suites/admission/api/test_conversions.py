"""ADM: what v1beta1 calls otherwise, has besides, or drops (AC-016, AC-020, AC-051, AC-076, AC-204…211)."""

from kueue_conformance import rows, scenario, within

OLD, NEW = "v1beta1", "v1beta2"
THEN = "2024-01-01T00:00:00Z"
GROUP = {
    "coveredResources": ["cpu"],
    "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "1"}]}],
}
BESIDES = {"flavors", "pendingWorkloadsStatus"}
SAME = {
    "Cohort": {"spec": {"parentName": "p", "resourceGroups": [GROUP], "fairSharing": {"weight": "2"}}},
    "ResourceFlavor": {
        "spec": {
            "nodeLabels": {"k": "v"},
            "nodeTaints": [{"key": "k", "value": "v", "effect": "NoSchedule"}],
            "tolerations": [{"key": "k", "operator": "Exists"}],
        }
    },
    "WorkloadPriorityClass": {"value": 7, "description": "seven"},
}


@scenario(
    "ADM-469",
    "the delay that v1beta1 had for a check is dropped on its way to storage",
    requirement="kueue-api#versions",
    shows="AC-016 AC-020 AC-210",
    since="0.15",
    level="should",
    only=("v0.19",),
    cases=rows("version", (OLD,)),
    clauses={
        "a": "it is not there in v1beta2",
        "b": "the number is not in v1beta1",
        "c": "the rest is the same",
    },
)
def test_delay_of_v1beta1(kueue_cluster, version):
    created = kueue_cluster.make_object(
        "AdmissionCheck", spec={"controllerName": "example.com/c", "retryDelayMinutes": 30}
    )

    old, new = (created.in_version(version)["spec"] for version in (OLD, NEW))

    assert "retryDelayMinutes" not in new, f"a: {new}"
    assert old.get("retryDelayMinutes") != 30, f"b: {old}"
    assert old["controllerName"] == new["controllerName"] == "example.com/c", f"c: {old} {new}"


@scenario(
    "ADM-470",
    "the usage of a LocalQueue has another name in v1beta1, and fields that only v1beta1 has are never filled",
    requirement="kueue-api#versions",
    shows="AC-051 AC-076 AC-204 AC-205",
    since="0.15",
    level="should",
    cases=rows("version", (OLD,)),
    clauses={
        "a": "flavorsUsage is flavorUsage",
        "b": "no flavors, and no pending Workloads",
        "c": "also when a client writes them",
    },
)
def test_usage_in_both_versions(kueue_cluster, version):
    queue = kueue_cluster.make_queue(checks=0)
    workload = queue.submit(cpu="1")
    within("admit", workload.is_admitted)
    within("settle", lambda: queue.shows_counts_locally(admitted=1))
    cluster_queue, local = (
        kueue_cluster.existing_object(kind, queue.name) for kind in ("ClusterQueue", "LocalQueue")
    )

    old, new = (local.in_version(version)["status"] for version in (OLD, NEW))
    waiting = cluster_queue.try_to_change(status={"pendingWorkloadsStatus": {"lastChangeTime": THEN}})
    flavors = local.try_to_change(status={"flavors": [{"name": "f"}]})
    after = {**cluster_queue.in_version(OLD)["status"], **local.in_version(OLD)["status"]}

    assert new.get("flavorsUsage"), f"a: {new}"
    assert old.get("flavorUsage") == new["flavorsUsage"], f"a: {old} {new}"
    assert "flavorUsage" not in new, f"a: {new}"
    assert not BESIDES & {*old, *new}, f"b: {old}"
    assert (waiting.is_accepted, flavors.is_accepted) == (True, True), f"c: {waiting} {flavors}"
    assert not BESIDES & {*after}, f"c: {after}"


@scenario(
    "ADM-471",
    "accumulated execution time and node assignment of a Workload have other fields in v1beta1",
    requirement="kueue-api#versions",
    shows="AC-207 AC-208",
    since="0.15",
    level="should",
    cases=rows("version", (OLD,)),
    clauses={"a": "the time is the same by another name", "b": "domains are levels and slices"},
)
def test_status_in_both_versions(queue, version):
    workload = queue.submit_until("prechecked")
    domains = {"levels": ["rack"], "domains": [{"values": ["r1"], "count": 1}]}
    assignments = workload.in_version(OLD)["status"]["admission"]["podSetAssignments"]
    placed = {
        "podSetAssignments": [{**assignment, "topologyAssignment": domains} for assignment in assignments]
    }
    written = workload.try_to_change(status={"accumulatedPastExexcutionTimeSeconds": 7, "admission": placed})

    old, new = (workload.in_version(version)["status"] for version in (OLD, NEW))

    assert written.is_accepted, f"a: {written}"
    times = old.get("accumulatedPastExexcutionTimeSeconds"), new.get("accumulatedPastExecutionTimeSeconds")
    assert times == (7, 7), f"a: {times}"
    assigned = [
        status["admission"]["podSetAssignments"][0].get("topologyAssignment") for status in (old, new)
    ]
    assert assigned[0] == domains, f"b: {assigned}"
    assert {*(assigned[1] or {})} == {"levels", "slices"}, f"b: {assigned}"
    assert assigned[1]["levels"] == ["rack"], f"b: {assigned}"
    assert [topology_slice["domainCount"] for topology_slice in assigned[1]["slices"]] == [1], (
        f"b: {assigned}"
    )


@scenario(
    "ADM-472",
    "cohorts, flavors and priority classes are the same in both versions",
    requirement="kueue-api#versions",
    shows="AC-211",
    since="0.15",
    level="should",
    cases=rows("version kind", *((OLD, kind) for kind in SAME)),
    clauses={"a": "an object written in v1beta1 is read in v1beta2", "b": "and in v1beta1"},
)
def test_same_in_both_versions(kueue_cluster, version, kind):
    created = kueue_cluster.make_object(kind, **SAME[kind])

    old, new = (created.in_version(version) for version in (OLD, NEW))

    defaults = {name: new.get(name) for name in SAME[kind]}
    assert defaults == SAME[kind], f"a: {new}"
    assert {name: old.get(name) for name in SAME[kind]} == defaults, f"b: {old}"
