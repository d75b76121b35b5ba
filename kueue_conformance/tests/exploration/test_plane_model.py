"""The model of a control plane: what is free in cohorts, and what is allowed at rest."""

import pytest

from kueue_conformance.exploration.control_planes.amounts import Tree, milli
from kueue_conformance.exploration.control_planes.label_selectors import selects
from kueue_conformance.exploration.control_planes.model import contradictions
from kueue_conformance.exploration.control_planes.snapshot import Snapshot
from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.history.story import Change


def snapshot(**objects):
    """Return a snapshot with objects by kind."""
    empty = Snapshot().objects
    given = {kind: {item["metadata"]["name"]: item for item in items} for kind, items in objects.items()}
    return Snapshot({**empty, **given})


def quota(amount, **limits):
    resource = {"name": "cpu", "nominalQuota": amount, **limits}
    return [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [resource]}]}]


def queue(
    name, amount, cohort="", active="True", strategy="BestEffortFIFO", checks=(), stop="None", **limits
):
    spec = {
        "namespaceSelector": {},
        "resourceGroups": quota(amount, **limits),
        "cohortName": cohort,
        "queueingStrategy": strategy,
        "stopPolicy": stop,
        "admissionChecksStrategy": {"admissionChecks": [{"name": check} for check in checks]},
    }
    return {"metadata": {"name": name}, "spec": spec, "status": {"conditions": [condition("Active", active)]}}


def cohort(name, amount, parent=""):
    return {"metadata": {"name": name}, "spec": {"resourceGroups": quota(amount), "parentName": parent}}


def condition(name, status="True"):
    return {"type": name, "status": status, "reason": "Test"}


def workload(name, cpu, *true, queue="q", checks=(), active=True, owner=""):
    """Return a Workload of one pod; it has quota where a condition says so."""
    pods = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]}}
    assignment = {"name": "main", "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": cpu}, "count": 1}
    reserved = {"admission": {"clusterQueue": queue, "podSetAssignments": [assignment]}}
    return {
        "metadata": {"name": name, "ownerReferences": [{"name": owner}] if owner else []},
        "spec": {
            "queueName": "local",
            "active": active,
            "podSets": [{"name": "main", "count": 1, "template": pods}],
        },
        "status": {
            **(reserved if "QuotaReserved" in true else {}),
            "conditions": [condition(item) for item in true],
            "admissionChecks": [{"name": check, "state": state} for check, state in checks],
        },
    }


def write_of_kueue(before, after):
    """Return a write of a Workload."""
    return Change(
        revision=7,
        at=0.0,
        actor="kueue",
        verb="update",
        kind="Workload",
        namespace="n",
        name="w",
        before=before,
        after=after,
    )


LOCAL = {
    "metadata": {"name": "local"},
    "spec": {"clusterQueue": "q"},
    "status": {"conditions": [condition("Active")]},
}
FLAVOR = {"metadata": {"name": "f"}, "spec": {"nodeLabels": {"example.com/flavor": "f1"}}}


OF_WORKLOADS = frozenset(
    {"namespaces", "reservation", "eviction", "hold", "verdicts", "admission", "progress", "jobs"}
)
"""The statements that the tests of this file are about."""


def statements(*workloads, local=LOCAL, jobs=(), **of_queue):
    state = snapshot(
        Workload=workloads,
        ClusterQueue=[queue("q", of_queue.pop("amount", "4"), **of_queue)],
        LocalQueue=[local],
        ResourceFlavor=[FLAVOR],
        Job=jobs,
    )
    return of_workloads(State(state))


def of_workloads(state):
    """Return the statements that a state contradicts, of those that the tests of this file are about."""
    return [item.statement for item in contradictions(state) if item.statement in OF_WORKLOADS]


@pytest.mark.parametrize(
    ("text", "amount"), [("2", 2000), ("500m", 500), (3, 3000), ("1.5", 1500), ("1k", 10**6)]
)
def test_an_amount_in_thousandths(text, amount):
    assert milli(text) == amount


@pytest.mark.parametrize(
    ("queues", "cohorts", "used", "free"),
    [
        pytest.param([queue("q", "4")], [], {}, 4, id="alone"),
        pytest.param([queue("q", "4")], [], {"q": "3"}, 1, id="alone, used"),
        pytest.param([queue("q", "4", "c"), queue("r", "2", "c")], [], {}, 6, id="it borrows all"),
        pytest.param([queue("q", "4", "c"), queue("r", "2", "c")], [], {"r": "3"}, 3, id="the other borrows"),
        pytest.param(
            [queue("q", "4", "c", borrowingLimit="1"), queue("r", "2", "c")], [], {}, 5, id="borrowingLimit"
        ),
        pytest.param(
            [queue("q", "4", "c"), queue("r", "2", "c", lendingLimit="1")], [], {}, 5, id="lendingLimit"
        ),
        pytest.param(
            [queue("q", "4", "c", lendingLimit="1"), queue("r", "2", "c")],
            [],
            {"r": "3"},
            3,
            id="what it does not lend is its own",
        ),
        pytest.param([queue("q", "0", "c")], [cohort("c", "3")], {}, 3, id="quota of the cohort"),
        pytest.param(
            [queue("q", "1", "c")], [cohort("c", "0", "top"), cohort("top", "2")], {}, 3, id="of its parent"
        ),
        pytest.param([queue("q", "1")], [], {"q": "3"}, -2, id="the quota was lowered"),
    ],
)
def test_what_is_free(queues, cohorts, used, free):
    holders = [workload(f"w-{name}", cpu, "QuotaReserved", queue=name) for name, cpu in used.items()]
    tree = Tree(snapshot(ClusterQueue=queues, Cohort=cohorts, Workload=holders))

    assert tree.free(tree.queues["q"], "f") == free * 1000


def test_pods_that_have_ended_hold_nothing():
    holder = workload("w", "2", "QuotaReserved")
    holder["spec"]["podSets"][0]["count"] = 2
    holder["status"]["admission"]["podSetAssignments"][0]["count"] = 2
    holder["status"]["reclaimablePods"] = [{"name": "main", "count": 1}]
    tree = Tree(snapshot(ClusterQueue=[queue("q", "4")], Workload=[holder]))

    assert tree.free(tree.queues["q"], "f") == 3000


def test_a_finished_workload_holds_nothing():
    holder = workload("w", "3", "QuotaReserved", "Finished")
    tree = Tree(snapshot(ClusterQueue=[queue("q", "4")], Workload=[holder]))

    assert tree.free(tree.queues["q"], "f") == 4000


@pytest.mark.parametrize(
    ("workloads", "of_queue", "expected"),
    [
        pytest.param([workload("w", "2", "QuotaReserved", "Admitted")], {}, [], id="admitted"),
        pytest.param([workload("w", "5")], {}, [], id="it does not fit"),
        pytest.param([workload("w", "2")], {}, ["progress"], id="it waits for quota that is free"),
        pytest.param([workload("w", "2")], {"strategy": "StrictFIFO"}, ["progress"], id="the head waits"),
        pytest.param([workload("w", "2")], {"active": "False"}, [], id="the queue is not Active"),
        pytest.param([workload("w", "2")], {"stop": "Hold"}, [], id="the queue is held"),
        pytest.param([workload("w", "2", active=False)], {}, [], id="it is inactive"),
        pytest.param(
            [workload("w", "2", "QuotaReserved", active=False)],
            {},
            ["eviction", "admission"],
            id="inactive, with quota",
        ),
        pytest.param(
            [workload("w", "2", "QuotaReserved", "Evicted")],
            {"checks": "k"},
            ["eviction", "admission"],
            id="evicted, with quota",
        ),
        pytest.param(
            [workload("w", "2", "QuotaReserved", "Admitted")],
            {"stop": "HoldAndDrain"},
            ["eviction"],
            id="drained",
        ),
        pytest.param([workload("w", "9", "Admitted")], {}, ["reservation"], id="admitted without quota"),
        pytest.param(
            [workload("w", "2", "QuotaReserved")], {}, ["admission"], id="not admitted without checks"
        ),
        pytest.param(
            [workload("w", "2", "QuotaReserved", checks=[("k", "Ready")])],
            {"checks": "k"},
            ["admission"],
            id="not admitted with Ready",
        ),
        pytest.param(
            [workload("w", "2", "QuotaReserved", checks=[("k", "Pending")])],
            {"checks": "k"},
            [],
            id="undecided",
        ),
        pytest.param(
            [workload("w", "2", "QuotaReserved", "Admitted")], {"checks": "k"}, ["admission"], id="not listed"
        ),
        pytest.param(
            [workload("w", "9", checks=[("k", "Retry")])],
            {"checks": "k"},
            ["verdicts"],
            id="Retry, not reset",
        ),
        pytest.param(
            [workload("w", "9", checks=[("k", "Rejected")])],
            {"checks": "k"},
            ["verdicts"],
            id="Rejected, active",
        ),
        pytest.param([workload("w", "2", "QuotaReserved", "Finished")], {}, [], id="finished"),
    ],
)
def test_what_is_allowed_at_rest(workloads, of_queue, expected):
    assert statements(*workloads, **of_queue) == expected


def test_pods_that_need_no_flavor_need_no_check():
    admitted = workload("w", "2", "QuotaReserved", "Admitted")
    admitted["status"]["admission"]["podSetAssignments"][0].update(flavors={}, resourceUsage={})

    assert statements(admitted, checks="k") == []


def test_a_held_local_queue_hides_its_cluster_queue():
    held = {**LOCAL, "spec": {**LOCAL["spec"], "stopPolicy": "Hold"}}
    admitted = workload("w", "2", "QuotaReserved", "Admitted")
    drained = queue("q", "4", stop="HoldAndDrain", checks="k")

    state = State(snapshot(Workload=[admitted], ClusterQueue=[drained], LocalQueue=[held]))

    assert of_workloads(state) == []


def test_nothing_gets_quota_in_a_queue_that_was_stopped_before():
    held = [queue("q", "4", stop="Hold")]
    before, after = (
        snapshot(Workload=[item], ClusterQueue=held, LocalQueue=[LOCAL])
        for item in (workload("w", "2"), workload("w", "2", "QuotaReserved", "Admitted"))
    )

    assert of_workloads(State(after, before)) == ["hold"]
    assert of_workloads(State(after, after)) == []


@pytest.mark.parametrize(
    ("suspend", "true", "expected"),
    [
        (False, ["QuotaReserved", "Admitted"], []),
        (True, ["QuotaReserved", "Admitted"], ["jobs"]),
        (True, [], []),
        (False, [], ["jobs"]),
    ],
)
def test_a_job_runs_as_long_as_its_workload_is_admitted(suspend, true, expected):
    template = {"metadata": {}, "spec": {"containers": []}}
    job = {"metadata": {"name": "job"}, "spec": {"suspend": suspend, "template": template}}

    assert statements(workload("w", "2" if true else "9", *true, owner="job"), jobs=[job]) == expected


def test_a_flavor_that_the_pods_do_not_tolerate_is_not_free():
    tainted = {**FLAVOR, "spec": {**FLAVOR["spec"], "nodeTaints": [{"key": "k", "effect": "NoSchedule"}]}}
    state = snapshot(
        Workload=[workload("w", "2")],
        ClusterQueue=[queue("q", "4")],
        LocalQueue=[LOCAL],
        ResourceFlavor=[tainted],
    )

    assert of_workloads(State(state)) == []


def limit_range(cpu):
    limits = [{"type": "Container", "defaultRequest": {"cpu": cpu}}]
    return {"metadata": {"name": "limits"}, "spec": {"limits": limits}}


def without_requests(*true):
    result = workload("w", "0", *true)
    result["spec"]["podSets"][0]["template"]["spec"]["containers"][0]["resources"] = {}
    return result


@pytest.mark.parametrize(
    ("default", "expected"),
    [("2", ["progress"]), ("9", []), (None, ["progress"])],
    ids=["what is free", "more than there is", "nothing"],
)
def test_what_says_no_requests_waits_for_the_default_alone(default, expected):
    state = snapshot(
        Workload=[without_requests()],
        ClusterQueue=[queue("q", "4")],
        LocalQueue=[LOCAL],
        ResourceFlavor=[FLAVOR],
        LimitRange=[limit_range(default)] if default else [],
    )

    assert of_workloads(State(state)) == expected


@pytest.mark.parametrize(
    ("selector", "labels", "expected"),
    [
        ({}, {}, True),
        (None, {}, False),
        ({"matchLabels": {"t": "a"}}, {"t": "a"}, True),
        ({"matchLabels": {"t": "a", "u": "b"}}, {"t": "a"}, False),
        ({"matchExpressions": [{"key": "t", "operator": "In", "values": ["a", "b"]}]}, {"t": "b"}, True),
        ({"matchExpressions": [{"key": "t", "operator": "NotIn", "values": ["a"]}]}, {}, True),
        ({"matchExpressions": [{"key": "t", "operator": "NotIn", "values": ["a"]}]}, {"t": "a"}, False),
        ({"matchExpressions": [{"key": "t", "operator": "Exists"}]}, {}, False),
        ({"matchExpressions": [{"key": "t", "operator": "DoesNotExist"}]}, {}, True),
    ],
)
def test_a_queue_admits_from_the_namespaces_that_it_selects(selector, labels, expected):
    selecting = queue("q", "4")
    selecting["metadata"] |= {"generation": 1, "uid": "u"}
    selecting["spec"]["namespaceSelector"] = selector
    namespace = {"metadata": {"name": "ns", "labels": labels}}
    before, waiting, admitted = (
        snapshot(
            Workload=items,
            ClusterQueue=[selecting],
            LocalQueue=[LOCAL],
            ResourceFlavor=[FLAVOR],
            Namespace=[namespace],
        )
        for items in ([], [workload("w", "2")], [workload("w", "2", "QuotaReserved", "Admitted")])
    )

    assert selects(selector, labels) is expected
    assert of_workloads(State(waiting, before)) == (["progress"] if expected else [])
    assert of_workloads(State(admitted, before)) == ([] if expected else ["namespaces"])
