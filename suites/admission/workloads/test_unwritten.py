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
        return [time for item in value for time in times_in(item)]
    if isinstance(value, dict):
        own = [text for name, text in value.items() if name in {"lastTransitionTime", "requeueAt"}]
        return own + [time for item in value.values() for time in times_in(item)]
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

    times = times_in(workload.object["status"])
    assert len(times) >= 4, f"a: {times}"
    assert all(TIME.fullmatch(time) for time in times), f"a: {times}"


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
    checks_before = [
        kueue_cluster.existing_object("AdmissionCheck", check.name) for check in (silent, telling)
    ]
    other_conditions = [
        {"type": name, "status": status, "reason": "Testing", "message": "", "lastTransitionTime": THEN}
        for name, status in (("SingleInstanceInClusterQueue", "False"), ("FlavorIndependent", "False"))
    ]
    conditions = [*other_conditions, *checks_before[1].status["conditions"]]
    checks_before[1].try_to_change(status={"conditions": conditions})
    waiting, queue = kueue_cluster.make_queue([silent]), kueue_cluster.make_queue([telling])
    within("settle", waiting.is_inactive_for_inactive_checks)

    workload = queue.submit_until("admitted")

    within("settle", workload.is_admitted, clause="b")
    always(waiting.is_inactive_for_inactive_checks, clause="a")
    assert not checks_before[0].status.get("conditions"), f"a: {checks_before[0].status}"
    assert checks_before[1].status["conditions"] == conditions, f"c: {checks_before[1].status}"


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
    cases=cross(example=tuple(LATER)),
    clauses={"a": "the object is taken", "b": "without the field"},
)
def test_fields_of_later_releases(kueue_cluster, example):
    kind, spec, status, field = LATER[example]
    created = kueue_cluster.make_object(kind, spec=spec)

    answer = created.try_to_change(status=status) if status else created.try_to_change(spec=spec)

    stored = created.object
    assert answer.is_accepted, f"a: {answer}"
    entry, *_ = (created.status.get("admissionChecks") or ({},)) if "admissionChecks" in status else ({},)
    assert not any(field in section for section in (stored["spec"], created.status, entry)), f"b: {stored}"


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
    types = {condition["type"] for condition in workload.object["status"]["conditions"]}
    assert types <= OF_V06, f"a: {types}"
