"""What a request passes, in the order of VIS-140: of two faults at once the earlier one is told."""

from __future__ import annotations

import asyncio
import json

import pytest

from reference_impl.kueue.visibility.attributes import Attributes, User
from reference_impl.kueue.visibility.guards import (
    AuthorizerError,
    BadImpersonationError,
    ForbiddenError,
    ThrottledError,
    UnauthenticatedError,
)
from reference_impl.runtime.serving.exchange import Request

from .doubles import BASE, CQ, LQ, Doors, Server, header

TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
PARTIAL = {"accept": "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}
PICTURE = {"accept": "image/png"}
PF = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")


def refusing(reason: str = "") -> Doors:
    return Doors(user=User(name="eve"), refuses=lambda user, wish: reason)


FAULTS = (
    ("bad timeout", 400, {"query": "timeout=abc"}),
    ("unauthenticated", 401, {"doors": {"authentication_fault": UnauthenticatedError()}}),
    ("impersonation", 400, {"doors": {"impersonation_fault": BadImpersonationError("no name")}}),
    ("throttled", 429, {"doors": {"seat_fault": ThrottledError(2)}}),
    ("forbidden", 403, {"doors": {"refuses": lambda user, wish: ""}}),
    ("route", 404, {"path": f"{BASE}/v9/clusterqueues/none/pendingworkloads"}),
    ("method", 405, {"method": "PUT"}),
    ("accept", 406, {"headers": PICTURE}),
    ("transform", 406, {"headers": TABLE}),
    ("options", 400, {"query": "limit=abc"}),
    ("queue", 404, {"path": f"{BASE}/v1beta2/clusterqueues/none/pendingworkloads"}),
    ("partial", 406, {"headers": PARTIAL}),
)


def pair(first, second):
    """A request with two faults."""
    first_fault, other = first[2], second[2]
    doors = Doors(**(other.get("doors", {}) | first_fault.get("doors", {})))
    path = first_fault.get("path") or other.get("path") or CQ
    query = "&".join(fault["query"] for fault in (first_fault, other) if "query" in fault)
    headers = other.get("headers", {}) | first_fault.get("headers", {})
    return doors, f"{path}?{query}", first_fault.get("method") or other.get("method") or "GET", headers


@pytest.mark.parametrize(
    ("first", "second"),
    [(first_fault, other) for at, first_fault in enumerate(FAULTS) for other in FAULTS[at + 1 :]],
    ids=lambda fault: fault[0],
)
def test_the_earlier_fault_is_told_vis_140(first, second):
    doors, target, method, headers = pair(first, second)

    assert Server(doors).ask(target, method, headers).code == first[1]


def test_an_empty_name_comes_after_the_route_and_before_the_transform():
    server = Server()
    target = f"{BASE}/v1beta2/clusterqueues//pendingworkloads?limit=x"

    assert server.ask(target, headers=PICTURE).code == 406
    assert json.loads(server.ask(target, headers=TABLE).body)["message"] == "name must be provided"


class TestRefusals:
    def test_401_is_bare_vc_17(self):
        response = Server(Doors(authentication_fault=UnauthenticatedError())).ask(CQ)

        assert response.body == (
            b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",'
            b'"message":"Unauthorized","reason":"Unauthorized","code":401}\n'
        )
        assert [name for name, _ in response.headers] == ["Audit-Id", "Cache-Control", "Content-Type"]

    def test_403_names_the_plural_and_the_reason_vis_425(self):
        response = Server(refusing("no such rule")).ask(LQ)

        document = json.loads(response.body)
        assert document["message"] == (
            'localqueues.visibility.kueue.x-k8s.io "main" is forbidden: User "eve" cannot get resource '
            '"localqueues/pendingworkloads" in API group "visibility.kueue.x-k8s.io" in the namespace "kvis-a": no such rule'
        )
        assert document["details"] == {
            "name": "main",
            "group": "visibility.kueue.x-k8s.io",
            "kind": "localqueues",
        }
        assert header(response, "X-Content-Type-Options") == "nosniff"
        assert [header(response, fault) for fault in PF] == ["schema", "level"]

    @pytest.mark.parametrize(
        ("method", "target", "verb"),
        [
            ("GET", f"{BASE}/v1beta2/clusterqueues", "cannot list resource"),
            ("GET", f"{BASE}/v1beta2/clusterqueues?watch", "cannot watch resource"),
            ("GET", f"{BASE}/v1beta2/clusterqueues?watch=false", "cannot list resource"),
            ("DELETE", f"{BASE}/v1beta2/clusterqueues", "cannot deletecollection resource"),
            ("PATCH", CQ, "cannot patch resource"),
            ("HEAD", CQ, ""),
            ("OPTIONS", CQ, "cannot  resource"),
            ("GET", f"{BASE}/v1beta2/watch/clusterqueues/x", "cannot watch resource"),
            ("PUT", BASE, "cannot put path"),
            ("GET", f"{BASE}/v1beta2/proxy/clusterqueues/x/y", r"cannot proxy resource \"clusterqueues\" in"),
        ],
    )
    def test_verbs_vis_423(self, method, target, verb):
        assert verb in Server(refusing()).ask(target, method).body.decode()

    def test_markup_in_a_path_is_defused(self):
        message = json.loads(Server(refusing()).ask("/%3Cb%3E").body)["message"]

        assert message == 'forbidden: User "eve" cannot get path "/&lt;b&gt;"'

    def test_429_tells_when_to_come_again_vis_607(self):
        response = Server(Doors(seat_fault=ThrottledError(2))).ask(CQ)

        assert response.body == b"Too many requests, please try again later.\n"
        assert header(response, "Retry-After") == "2"
        assert [header(response, fault) for fault in PF] == ["schema", "level"]

    def test_500_says_what_the_api_server_said_vis_427(self):
        response = Server(Doors(authorizer_fault=AuthorizerError("it <burns>"))).ask(f"{CQ}?limit=1")

        expected = f'Internal Server Error: "{CQ}?limit=1": it &lt;burns&gt;\n'
        assert (response.code, response.body.decode()) == (500, expected)
        assert header(response, "X-Content-Type-Options") == "nosniff"

    def test_a_watch_of_nothing_is_no_request_info(self):
        response = Server().ask("/apis/g/v1/watch")

        assert response.code == 500
        assert b"unable to determine kind and namespace" in response.body


class TestImpersonation:
    def test_the_other_user_is_judged_and_classified_vis_409(self):
        doors = Doors(acts_as=User(name="jane"))
        Server(doors).ask(CQ)

        assert [user.name for user, _ in doors.asked] == ["jane"]

    def test_who_may_not_act_as_another_reads_the_right_that_is_missing(self):
        right = Attributes(verb="impersonate", path="", resource="users", name="jane")
        response = Server(Doors(impersonation_fault=ForbiddenError(User(name="eve"), right))).ask(CQ)

        assert json.loads(response.body)["message"] == (
            'users "jane" is forbidden: User "eve" cannot impersonate resource "users" in API group "" at the cluster scope'
        )
        assert [header(response, fault) for fault in PF] == [None, None]

    def test_a_mask_without_a_name_is_a_bad_request_vc_22(self):
        response = Server(Doors(impersonation_fault=BadImpersonationError("requested nobody"))).ask(CQ)

        assert (response.code, json.loads(response.body)["message"]) == (400, "requested nobody")
        assert header(response, "X-Content-Type-Options") == "nosniff"

    def test_an_api_server_that_is_away(self):
        assert Server(Doors(impersonation_fault=AuthorizerError("away"))).ask(CQ).code == 500


class TestTime:
    @pytest.mark.parametrize("timeout", ["", "0s", "-1s", "5m", "1h0m0.5s"])
    def test_time_enough_vc_04(self, timeout):
        assert Server().ask(f"{CQ}?timeout={timeout}").code == 200

    def test_no_time_at_all_is_504_before_authentication_vc_05(self):
        response = Server(Doors(authentication_fault=UnauthenticatedError())).ask(f"{CQ}?timeout=1ns")

        assert response.code == 504
        assert [header(response, fault) for fault in PF] == [None, None]

    def test_a_slow_guard_is_504_and_gives_the_seat_back(self):
        async def asked():
            doors.waits_for = asyncio.Event()
            return await server.handler(Request(method="GET", target=f"{CQ}?timeout=5ms"))

        doors = Doors()
        server = Server(doors)
        response = asyncio.run(asked())

        assert (response.code, doors.seats) == (504, ["taken", "left"])
        assert [header(response, fault) for fault in PF] == [None, None]

    def test_a_timeout_of_a_guard_is_not_that_of_the_request(self):
        with pytest.raises(TimeoutError):
            Server(Doors(authentication_fault=TimeoutError())).ask(CQ)

    def test_a_watch_has_no_deadline(self):
        assert Server().ask(f"{BASE}/v1beta2/clusterqueues?watch=1&timeout=abc").code == 404


class TestSeats:
    def test_a_forbidden_request_takes_one_too_vis_142(self):
        doors = refusing()
        Server(doors).ask(CQ)

        assert doors.seats == ["taken", "left"]

    def test_profiles_take_none(self):
        doors = Doors()
        response = Server(doors).ask("/debug/pprof/")

        assert (doors.seats, header(response, PF[0])) == ([], None)


class TestHeaders:
    def test_an_audit_id_is_taken_from_the_request_vis_229(self):
        assert header(Server().ask(CQ, headers={"audit-id": "mine"}), "Audit-Id") == "mine"

    def test_an_audit_id_is_made(self):
        server = Server()

        assert header(server.ask(CQ), "Audit-Id") != header(server.ask(CQ), "Audit-Id")

    def test_headers_are_sorted(self):
        names = [name for name, _ in Server(refusing()).ask(CQ).headers]

        assert names == sorted(names)
