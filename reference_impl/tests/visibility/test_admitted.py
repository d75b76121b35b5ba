"""Workloads that hold quota: the extension behind VisibilityAdmittedWorkloads (VIS-901…912)."""

from __future__ import annotations

import json

import pytest

from reference_impl.kueue.queueing.view import PositionedWorkload
from reference_impl.kueue.visibility.attributes import User
from reference_impl.kueue.workload.view import Workload

from .doubles import BASE, CQ, LQ, Doors, Server, header, site, workload
from .test_discovery import resolves, targets

HELD = CQ.replace("pending", "admitted")
HELD_LOCALLY = LQ.replace("pending", "admitted")
TIME = "2026-11-20T11:00:00Z"


def holding(namespace: str, name: str, queue: str, *conditions: str) -> Workload:
    """A Workload with a reservation and more conditions that are true."""
    obj = workload(namespace, name, queue, 5)
    obj.object["spec"]["podSets"] = [{"name": "main", "count": 2, "template": {"spec": {"containers": []}}}]
    obj.object["status"] = {
        "conditions": [
            {"type": condition, "status": "True", "lastTransitionTime": TIME}
            for condition in ("QuotaReserved", *conditions)
        ],
        "admission": {
            "clusterQueue": "kvis-cq",
            "podSetAssignments": [
                {
                    "name": "main",
                    "count": 2,
                    "flavors": {"cpu": "spot", "memory": "spot"},
                    "resourceUsage": {"cpu": "3", "memory": "2Gi"},
                }
            ],
        },
        "admissionChecks": [
            {"name": "b", "state": "Ready"},
            {"name": "a", "state": "Pending", "message": "no"},
        ],
    }
    return obj


class _Queue:
    generation = 7

    def __init__(self, members):
        self._members = members

    def __len__(self):
        return len(self._members)

    def page(self, offset, limit):
        return iter(self._members[offset : offset + limit])


class _View:
    """Three Workloads of one ClusterQueue, two of them in one LocalQueue."""

    def __init__(self):
        stays = holding("kvis-a", "kept", "main")
        ready = holding("kvis-b", "ready", "main", "Admitted")
        leaving = holding("kvis-a", "leaving", "main", "Admitted", "Evicted")
        self._all = [
            PositionedWorkload(*condition) for condition in ((stays, 0, 0), (ready, 1, 0), (leaving, 2, 1))
        ]

    def cluster_queue(self, name):
        return _Queue(self._all) if name == "kvis-cq" else None

    def local_queue(self, namespace, name):
        own = [condition for condition in self._all if condition.workload.namespace == namespace]
        return _Queue(own) if name == "main" else None


@pytest.fixture
def server():
    return Server(at=site(admitted=_View()))


def items(response):
    return json.loads(response.body)["items"]


def names(response):
    return [item["metadata"]["name"] for item in items(response)]


def test_an_item_of_a_cluster_queue_vis_905(server):
    document = json.loads(server.ask(f"{HELD}?offset=1&limit=1").body)

    assert document["kind"] == "AdmittedWorkloadsSummary"
    assert document["items"] == [
        {
            "metadata": {"name": "ready", "namespace": "kvis-b", "creationTimestamp": "2026-11-20T10:00:00Z"},
            "priority": 5,
            "localQueueName": "main",
            "phase": "Admitted",
            "quotaReservedTime": TIME,
            "admittedTime": TIME,
            "admissionChecks": [{"name": "a", "state": "Pending"}, {"name": "b", "state": "Ready"}],
            "usage": {"spot": {"cpu": "3", "memory": "2Gi"}},
            "positionInClusterQueue": 1,
            "positionInLocalQueue": 0,
        }
    ]


def test_a_local_queue_tells_no_usage_and_nothing_of_others_vis_910(server):
    response = server.ask(HELD_LOCALLY)

    assert names(response) == ["kept", "leaving"]
    assert [item for item in items(response) if "usage" in item] == []
    assert b"kvis-b" not in response.body


def test_what_is_not_admitted_has_no_time_of_it(server):
    assert "admittedTime" not in items(server.ask(HELD))[0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("phase=QuotaReserved", [("kept", 0)]),
        ("phase=Admitted&phase=Evicting", [("ready", 1), ("leaving", 2)]),
        ("phase=Admitted&phase=Evicting&offset=1&limit=1", [("leaving", 2)]),
        ("phase=Evicting&offset=9223372036854775807", []),
    ],
)
def test_phases_are_chosen_and_positions_stay_vis_907(server, query, expected):
    listed = items(server.ask(f"{HELD}?{query}"))

    assert [
        (condition["metadata"]["name"], condition["positionInClusterQueue"]) for condition in listed
    ] == expected


@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        (f"{HELD}?phase=Gone", 400, 'unsupported phase "Gone"'),
        (f"{HELD.replace('kvis-cq', 'none')}?limit=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'),
        (HELD.replace("kvis-cq", "none"), 404, 'clusterqueue.visibility.kueue.x-k8s.io "none" not found'),
        (HELD_LOCALLY.replace("main", "none"), 404, 'localqueue.visibility.kueue.x-k8s.io "none" not found'),
        (HELD.replace("v1beta2", "v1beta1"), 404, "the server could not find the requested resource"),
    ],
    ids=range(5),
)
def test_refusals(server, target, code, message):
    response = server.ask(target)

    assert (response.code, json.loads(response.body)["message"]) == (code, message)


def test_the_name_of_the_kep_asks_for_the_same_right_vis_902(server):
    alias = HELD.replace("admitted", "admitted_")

    assert server.ask(alias).body == server.ask(HELD).body
    assert {wish.subresource for _, wish in server.doors.asked} == {"admittedworkloads"}


def test_without_the_gate_there_is_nothing_vis_901():
    doors = Doors(user=User(name="eve"), refuses=lambda user, wish: "")
    alias = HELD.replace("admitted", "admitted_")

    assert [Server().ask(condition).code for condition in (HELD, HELD_LOCALLY, alias)] == [404, 404, 404]
    assert b"clusterqueues/admitted_workloads" in Server(doors).ask(alias).body
    assert b"dmitted" not in Server().ask(f"{BASE}/v1beta2").body + Server().ask("/openapi/v2").body
    assert header(Server().ask(CQ), "X-Kueue-Queue-Generation") is None


def test_discovery_and_openapi_name_the_extension_vis_903(server):
    resources = json.loads(server.ask(f"{BASE}/v1beta2").body)["resources"]
    older = json.loads(server.ask(f"{BASE}/v1beta1").body)["resources"]
    document = json.loads(server.ask("/openapi/v2").body)

    kinds = [(resource["name"], resource["kind"]) for resource in resources if "admitted" in resource["name"]]
    kind = "AdmittedWorkloadsSummary"
    assert kinds == [("clusterqueues/admittedworkloads", kind), ("localqueues/admittedworkloads", kind)]
    assert len(older) == 4
    path = document["paths"][f"{BASE}/v1beta2/clusterqueues/{{name}}/admittedworkloads"]
    assert "phase" in [parameter["name"] for parameter in path["parameters"]]
    assert [target for target in targets(document) if not resolves(document, target)] == []


def test_both_endpoints_tell_the_generation_vis_911(server):
    before = header(server.ask(CQ), "X-Kueue-Queue-Generation")
    server.queues.delete("kvis-a/w7")

    assert int(header(server.ask(CQ), "X-Kueue-Queue-Generation")) > int(before)
    assert header(server.ask(HELD), "X-Kueue-Queue-Generation") == "7"


def test_one_workload_is_found_by_its_name_vis_912(server):
    listed = items(server.ask(f"{LQ}?name=w4"))

    assert [(condition["metadata"]["name"], condition["positionInLocalQueue"]) for condition in listed] == [
        ("w4", 1)
    ]
    assert items(server.ask(f"{LQ}?name=w3")) == []
    assert names(Server().ask(f"{LQ}?name=w4")) == ["w1", "w4", "w6"]
