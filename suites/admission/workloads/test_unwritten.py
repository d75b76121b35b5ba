"""ADM: what Kueue leaves alone, does not write,
or writes in one form only (AC-008, AC-018, AC-021, AC-050, AC-220, AC-221).
"""

import re

from kueue_conformance import always, cross, scenario, within

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
OF_V06 = {"QuotaReserved", "Admitted", "Finished", "PodsReady", "Evicted"}
TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "registry.k8s.io/pause:3.10"}]}}
PODS = {"podSets": [{"name": "main", "count": 1, "template": TEMPLATE}]}
THEN = "2024-01-01T00:00:00Z"
ENTRY = {"name": "c", "state": "Retry", "message": "", "lastTransitionTime": THEN}
# What came after v0.6 → the kind, its spec, the section that is written, and the field.
LATER = {
    "stopPolicy": ("LocalQueue", {"clusterQueue": "none", "stopPolicy": "Hold"}, {}, "stopPolicy"),
    "execution-time": ("Workload", {**PODS, "maximumExecutionTimeSeconds": 7}, {}, "maximumExecutionTimeSeconds"),
    "topology": ("ResourceFlavor", {"nodeLabels": {"k": "v"}, "topologyName": "t"}, {}, "topologyName"),
    "stats": ("Workload", PODS, {"schedulingStats": {"evictions": []}}, "schedulingStats"),
    "requests": ("Workload", PODS, {"resourceRequests": [{"name": "main"}]}, "resourceRequests"),
    "executed": ("Workload", PODS, {"accumulatedPastExecutionTimeSeconds": 7}, "accumulatedPastExecutionTimeSeconds"),
    "cluster": ("Workload", PODS, {"clusterName": "c"}, "clusterName"),
    "delay": ("Workload", PODS, {"admissionChecks": [{**ENTRY, "requeueAfterSeconds": 7}]}, "requeueAfterSeconds"),
    "retries": ("Workload", PODS, {"admissionChecks": [{**ENTRY, "retryCount": 7}]}, "retryCount"),
}  # fmt: skip


def times_in(value):
    """Return every time that is written somewhere in a status."""
    if isinstance(value, list):
        return [time for one in value for time in times_in(one)]
    if isinstance(value, dict):
        own = [text for name, text in value.items() if name in {"lastTransitionTime", "requeueAt"}]
        return own + [time for one in value.values() for time in times_in(one)]
    return []


@scenario(
    "ADM-473",
    "times are written to the second",
    requirement="docs-2024#retry-releases",
    shows="AC-008",
    since="0.15",
    level="should",
    clauses={"a": "those of conditions, of entries and of the next try"},
)
def test_times(make_queue):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")

    queue.checks[0].answer(workload, "Retry", delay=3600)
    within("settle", workload.is_waiting_for_requeue)

    found = times_in(workload.object["status"])
    assert len(found) >= 4, f"a: {found}"
    assert all(TIME.fullmatch(one) for one in found), f"a: {found}"


@scenario(
    "ADM-474",
    "the controller of a check alone writes its conditions, and Kueue ignores unknown ones",
    requirement="docs-2024#four-states",
    shows="AC-018 AC-021",
    level="should",
    clauses={
        "a": "Kueue writes no condition of a check",
        "b": "conditions that it does not know have no effect",
        "c": "and stay",
    },
)
def test_conditions_of_a_check(kueue_cluster):
    silent, telling = kueue_cluster.make_check(active=False), kueue_cluster.make_check()
    kept = [kueue_cluster.existing_object("AdmissionCheck", one.name) for one in (silent, telling)]
    others = [
        {"type": name, "status": status, "reason": "Testing", "message": "", "lastTransitionTime": THEN}
        for name, status in (("SingleInstanceInClusterQueue", "False"), ("FlavorIndependent", "False"))
    ]
    said = [*others, *kept[1].status["conditions"]]
    kept[1].try_to_change(status={"conditions": said})
    waiting, queue = kueue_cluster.make_queue([silent]), kueue_cluster.make_queue([telling])
    within("settle", waiting.is_inactive_for_inactive_checks)

    workload = queue.submit_until("admitted")

    within("settle", workload.is_admitted, clause="b")
    always(waiting.is_inactive_for_inactive_checks, clause="a")
    assert not kept[0].status.get("conditions"), f"a: {kept[0].status}"
    assert kept[1].status["conditions"] == said, f"c: {kept[1].status}"


@scenario(
    "ADM-475",
    "the status of a queue has its fair share only with fair sharing",
    requirement="kep-993#stage-one",
    shows="AC-050",
    level="may",
    since="0.9",
    clauses={"a": "usage is reported", "b": "a share is not"},
)
def test_no_share(kueue_cluster):
    queue = kueue_cluster.make_queue(fairSharing={"weight": "2"})
    workload = queue.submit(cpu="1")
    within("admit", workload.is_admitted)

    within("settle", lambda: queue.shows_used("1"), clause="a")

    status = kueue_cluster.existing_object("ClusterQueue", queue.name).status
    assert "fairSharing" not in status, f"b: {status}"


@scenario(
    "ADM-476",
    "in v0.6 the fields of later releases are not kept",
    requirement="kueue-api#versions",
    shows="AC-220",
    level="should",
    until="0.6.2",
    cases=cross(what=tuple(LATER)),
    clauses={"a": "the object is taken", "b": "without the field"},
)
def test_fields_of_later_releases(kueue_cluster, what):
    kind, spec, status, field = LATER[what]
    made = kueue_cluster.make_object(kind, spec=spec)

    answer = made.try_to_change(status=status) if status else made.try_to_change(spec=spec)

    kept = made.object
    assert answer.is_accepted, f"a: {answer}"
    entry, *_ = (made.status.get("admissionChecks") or ({},)) if "admissionChecks" in status else ({},)
    assert not any(field in one for one in (kept["spec"], made.status, entry)), f"b: {kept}"


@scenario(
    "ADM-477",
    "in v0.6 a Workload has at most five conditions",
    requirement="kep-993#retry-or-reject",
    shows="AC-221",
    level="should",
    until="0.6.2",
    cases=cross(end=("Retry", "Rejected")),
    clauses={"a": "no condition of later releases"},
)
def test_conditions_of_v06(make_queue, end):
    queue = make_queue(checks=1)
    workload = queue.submit_until("admitted", "job")

    queue.checks[0].answer(workload, end)

    within("evict", workload.was_released if end == "Retry" else workload.is_finished)
    told = {one["type"] for one in workload.object["status"]["conditions"]}
    assert told <= OF_V06, f"a: {told}"
