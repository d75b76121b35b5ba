"""ADM: v1beta1 beside v1beta2 (AC-039…042, AC-097, AC-200…211; SC-170, SC-172)."""

from kueue_conformance import listed, scenario, within

OLD, NEW = "v1beta1", "v1beta2"
TEMPLATE = {
    "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}
}
SOURCES = {"kueue": "kueue.x-k8s.io/workloadpriorityclass", "pods": "scheduling.k8s.io/priorityclass"}


def by_class(source, name="high"):
    return {"priorityClassSource": SOURCES.get(source, source), "priorityClassName": name}


@scenario(
    "ADM-180", "in v1beta1 a priority class is a name and a word, and needs a priority",
    requirement="kueue-api#priority", shows="SC-170 AC-097", since="0.15", level="should",
    cases=listed(
        "what spec code version",
        ("kueues-class", {**by_class("kueue"), "priority": 1}, 200, OLD),
        ("pods-class", {**by_class("pods"), "priority": 1}, 200, OLD),
        ("no-class", {"priority": 1}, 200, OLD),
        ("word-without-name", {"priorityClassSource": SOURCES["kueue"], "priority": 1}, 200, OLD),
        ("no-priority", by_class("kueue"), 422, OLD),
        ("other-word", {**by_class("other"), "priority": 1}, 422, OLD),
        ("bad-name", {**by_class("kueue", "@"), "priority": 1}, 422, OLD),
    ),
    clauses={"a": "taken, or 422 Invalid"},
)  # fmt: skip
def test_priority_class_in_v1beta1(kueue_cluster, what, spec, code, version):
    pod_sets = [{"name": "main", "count": 1, "template": TEMPLATE}]

    answer = kueue_cluster.answer_to("Workload", {"podSets": pod_sets, **spec})

    assert answer.code == code, f"a: {answer}"


@scenario(
    "ADM-181", "a Workload written in one version is read in the other",
    requirement="kueue-api#versions", shows="SC-172 AC-206 AC-209", since="0.15", level="should",
    cases=listed("version other", (OLD, NEW)),
    clauses={"a": "its class is a reference in v1beta2", "b": "and a word and a name in v1beta1", "c": "the rest is the same"},
)  # fmt: skip
def test_workload_in_both_versions(queue, version, other):
    workload = queue.submit(**by_class("kueue"), priority=3)
    within("reserve", workload.is_prechecked)

    old, new = (workload.in_version(one)["spec"] for one in (version, other))

    reference = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"}
    assert new["priorityClassRef"] == reference, f"a: {new}"
    assert by_class("kueue").items() <= old.items(), f"b: {old}"
    assert (old["priority"], old["queueName"]) == (new["priority"], new["queueName"]), (
        "c: the rest is the same"
    )


@scenario(
    "ADM-182", "a ClusterQueue written in one version is read in the other",
    requirement="kueue-api#versions", shows="SC-172 AC-200 AC-201 AC-203", since="0.15", level="should",
    cases=listed("version", (OLD,)),
    clauses={"a": "the cohort has its name", "b": "checks are a strategy in both", "c": "words of old are today's"},
)  # fmt: skip
def test_cluster_queue_in_both_versions(kueue_cluster, version):
    words = {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"}
    queue = kueue_cluster.queue(checks=2, cohort="team", flavorFungibility=words)

    old, new = (queue.in_version(one)["spec"] for one in (OLD, NEW))

    strategy = {"admissionChecks": [{"name": check.name} for check in queue.checks]}
    today = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"}
    assert (old["cohort"], new["cohortName"]) == ("team", "team"), "a: the cohort has its name"
    assert old["admissionChecksStrategy"] == new["admissionChecksStrategy"] == strategy, f"b: {old} {new}"
    assert old["flavorFungibility"] == new["flavorFungibility"] == today, f"c: {old}"
