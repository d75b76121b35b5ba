"""HTTP shows what a cloud has and has done, and takes failures and sizes while it runs."""

import asyncio
import json

import pytest

from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.http_api import CloudApi
from reference_impl.runtime.serving.exchange import Request

from .clouds import Cloud


@pytest.fixture
def cloud():
    return Cloud(NodeGroupSpec("ng-a", max=5, target=1))


def ask(cloud, method, path, body=None):
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    answer = asyncio.run(
        CloudApi(cloud, lambda: cloud.time).answer(Request(method=method, target=path, body=data))
    )
    return answer.code, json.loads(answer.body)


def test_it_tells_what_can_be_asked(cloud):
    code, body = ask(cloud, "GET", "/")

    assert code == 200
    assert (
        body["POST /failures"]
        == "Add a failure rule with the fields of a file of failures; return its number."
    )


def test_rules_come_and_go(cloud):
    rule = {"action": "stockout", "succeed": 1, "group": "ng-a", "times": 2}
    first = ask(cloud, "POST", "/failures", rule)
    ask(cloud, "POST", "/failures", {"action": "away"})
    cloud.increase("ng-a", 2)
    listed = ask(cloud, "GET", "/failures")[1]
    removed = ask(cloud, "DELETE", "/failures/1")
    ask(cloud, "DELETE", "/failures")

    assert first == (200, {"number": 1})
    assert {key: listed["1"][key] for key in ("action", "succeed", "times", "before")} == {
        "action": "stockout",
        "succeed": 1,
        "times": 1,
        "before": None,
    }
    assert removed == (200, {})
    assert ask(cloud, "GET", "/failures") == (200, {})


def test_machines_tell_when_they_will_be_what(cloud):
    cloud.increase("ng-a", 1)
    machines = ask(cloud, "GET", "/machines")[1][1]

    assert (machines["id"], machines["providerID"], machines["state"]) == (
        "ng-a-2",
        "sim:///ng-a/ng-a-2",
        "creating",
    )
    assert machines["times"] == {
        "running": "2026-01-01T00:01:00Z",
        "registered": "2026-01-01T00:01:00Z",
        "ready": "2026-01-01T00:01:05Z",
        "failed": None,
        "ended": None,
    }


def test_the_journal_and_the_changes_are_listed(cloud):
    cloud.increase("ng-a", 1)
    cloud.time += 60

    assert ask(cloud, "GET", "/journal")[1] == [
        {
            "time": "2026-01-01T00:00:00Z",
            "method": "increase",
            "group": "ng-a",
            "arguments": {"delta": 1},
            "result": "",
        }
    ]
    assert ask(cloud, "GET", "/changes")[1] == [
        {"time": "2026-01-01T00:01:00Z", "machine": "ng-a-2", "event": event}
        for event in ("running", "registered")
    ]


def test_sizes_and_limits_are_changed(cloud):
    code, body = ask(cloud, "PATCH", "/groups/ng-a", {"target": 3, "max": 3})

    assert (code, body["target"], body["max"], cloud.told()[0]) == (200, 3, 3, 3)


def test_groups_are_made_and_removed(cloud):
    response = ask(cloud, "POST", "/groups", {"id": "nap-1", "autoprovisioned": True, "cpu": 8})
    listed = [group["id"] for group in ask(cloud, "GET", "/groups")[1]]
    ask(cloud, "DELETE", "/groups/nap-1")

    assert (response[0], response[1]["cpu"], listed) == (200, "8", ["ng-a", "nap-1"])
    assert [spec.id for spec in cloud.specs] == ["ng-a"]


def test_a_machine_is_taken_away(cloud):
    assert ask(cloud, "DELETE", "/machines/ng-a-1", {"remain_counted": True}) == (200, {})
    assert cloud.told() == (1, [])


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "complaint"),
    [
        ("GET", "/nothing", None, 404, "GET /nothing: GET / lists what there is"),
        ("PUT", "/groups/ng-a", None, 405, "PUT /groups/ng-a: expected PATCH or DELETE"),
        ("POST", "/failures", b"{", 400, "the body is no JSON"),
        ("POST", "/failures", [], 400, "rule is []: expected a mapping"),
        (
            "POST",
            "/failures",
            {"action": "reject", "code": "X"},
            400,
            "rule.code is 'X': expected one of Aborted",
        ),
        ("DELETE", "/failures/7", None, 404, "there is no rule '7': GET /failures lists them"),
        ("DELETE", "/machines/ng-a-7", None, 404, "there is no machine 'ng-a-7'"),
        ("DELETE", "/machines/ng-a-1", {"revoke": 3}, 400, "revoke is 3: expected text"),
        ("PATCH", "/groups/ng-b", {"max": 3}, 404, "there is no group 'ng-b'"),
        ("PATCH", "/groups/ng-a", {"max": "3"}, 400, "max is '3': expected a whole number"),
        ("PATCH", "/groups/ng-a", {"size": 3}, 400, "the body has 'size': expected one of max, min, target"),
        ("PATCH", "/groups/ng-a", [3], 400, "the body is [3]: expected a mapping"),
        ("PATCH", "/groups/ng-a", {"max": 0}, 400, "limits are 0 to 0: expected limits around 1, the size"),
        ("PATCH", "/groups/ng-a", {"target": 6}, 409, "target is 6: expected 0 to 5"),
        ("DELETE", "/groups/ng-a", None, 409, "group 'ng-a' is not autoprovisioned and empty"),
        ("POST", "/groups", {"id": "ng-a"}, 409, "there is a group 'ng-a'"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(cloud, method, path, body, code, complaint):
    answered, answer = ask(cloud, method, path, body)

    assert answered == code
    assert answer["error"].startswith(complaint)
    assert (cloud.told(), cloud.plan.rules) == ((1, [("ng-a-1", "running")]), {})
