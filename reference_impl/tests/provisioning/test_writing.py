"""Steps become requests, events and messages;
what cannot be made is told and tried again (PA-120…126, PA-155…157).
"""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

from reference_impl.api.resource import key_of
from reference_impl.kueue.provisioning import metric_definitions
from reference_impl.kueue.provisioning.rules import ProvisioningRules
from reference_impl.kueue.provisioning.steps import (
    CreateRequest,
    DeleteRequest,
    Fail,
    ReportChecks,
    RequeueLater,
    StateChange,
    Template,
    TransferTemplates,
    WriteChecks,
)
from reference_impl.kueue.provisioning.writing import StepExecutor, key_of_owner
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry

from .objects import CORRECTED, RULES, TIME, entry, request, workload

NAME = "wl-c1-1"
OBJECT = request(name=NAME).object
TEMPLATE = {
    "metadata": {"name": f"ppt-{NAME}-main", "namespace": "ns", "ownerReferences": []},
    "template": {"spec": {}},
}
ASKED = CreateRequest("c1", OBJECT, (Template(TEMPLATE["metadata"]["name"], TEMPLATE),))
AGAIN = RequeueAfter()


class Server:
    """Takes every write, or refuses some of them."""

    def __init__(self, **refusals: ApiError) -> None:
        self.calls: list[Any] = []
        self._refusals = refusals

    def _take(self, verb: str, resource: Any, obj: Any) -> Any:
        self.calls.append((verb, resource.kind, obj))
        refusal = self._refusals.get(f"{verb}_{resource.kind}")
        if refusal is not None:
            raise refusal
        answer = copy.deepcopy(obj)
        answer["metadata"].setdefault("uid", "u")
        answer["metadata"]["resourceVersion"] = "9"
        return answer

    async def create(self, resource: Any, obj: Any) -> Any:
        return self._take("create", resource, obj)

    async def update(self, resource: Any, obj: Any) -> Any:
        return self._take("update", resource, obj)

    async def delete(self, resource: Any, key: Any, *, uid: str) -> Any:
        assert uid == f"{key.name}-uid"
        return self._take("delete", resource, {"metadata": {"name": key.name}})

    async def apply(self, resource: Any, obj: Any, *, manager: str, subresource: str) -> Any:
        assert (manager, subresource) == ("kueue.x-k8s.io/provisioning-request", "status")
        return self._take("apply", resource, obj)


class EventHandlers:
    """Known objects; remembers what was written."""

    def __init__(self, *objects: Any) -> None:
        self._known = {key_of(obj): obj for obj in objects}

    def record_write(self, answer: Any) -> Any:
        return answer

    def get(self, key: Any) -> Any:
        return self._known.get(key)


class Events(list[Any]):
    """Remembers events."""

    def normal(self, _obj: Any, reason: str, note: str, *, action: str = "") -> None:
        self.append(("Normal", action or reason, reason, note))

    def warning(self, _obj: Any, reason: str, note: str) -> None:
        self.append(("Warning", reason, reason, note))


def done(
    server: Server, *steps: Any, of: Any = None, objects: Any = (), rules: ProvisioningRules = RULES
) -> tuple[Any, Events, Registry]:
    events, metrics, clock = Events(), Registry(metric_definitions.METRICS), WallClock()
    executor = StepExecutor(
        rules=rules,
        client=server,  # type: ignore[arg-type]
        clock=clock,
        recorder=events,  # type: ignore[arg-type]
        metrics=metrics,
        log=Logger(clock=clock, level="error"),
        workloads=EventHandlers(),  # type: ignore[arg-type]
        requests=EventHandlers(*objects),  # type: ignore[arg-type]
        templates=EventHandlers(),  # type: ignore[arg-type]
    )
    return asyncio.run(executor.do(of or workload(), steps)), events, metrics


def test_templates_then_request_then_owners() -> None:
    """PA-057, PA-067, PA-120."""
    server = Server()
    writes, events, metrics = done(server, ASKED)
    assert [(verb, kind) for verb, kind, _ in server.calls] == [
        ("create", "PodTemplate"),
        ("create", "ProvisioningRequest"),
        ("update", "PodTemplate"),
    ]
    owners = server.calls[2][2]["metadata"]["ownerReferences"]
    assert [(owner["kind"], owner["name"], owner["controller"]) for owner in owners] == [
        ("ProvisioningRequest", NAME, True)
    ]
    assert writes is None
    assert events == [
        ("Normal", "Created", "ProvisioningRequestCreated", f'Created ProvisioningRequest: "{NAME}"')
    ]
    assert f"{metric_definitions.REQUESTS}{{" in metrics.exposition()


def test_answers_are_one_apply_on_the_revision_that_was_seen() -> None:
    """PA-155, PA-121."""
    server, new = Server(), entry(state="Ready", message="found")
    _, events, _ = done(server, WriteChecks((new,), (StateChange("c1", "Pending", "Ready", "found"),)))
    assert server.calls == [
        (
            "apply",
            "Workload",
            {
                "apiVersion": "kueue.x-k8s.io/v1beta2",
                "kind": "Workload",
                "metadata": {"name": "wl", "namespace": "ns", "uid": "wl-uid", "resourceVersion": "7"},
                "status": {"admissionChecks": [new]},
            },
        )
    ]
    note = "Admission check c1 updated state from Pending to Ready with message: found"
    assert events == [("Normal", "AdmissionCheckUpdated", "AdmissionCheckUpdated", note)]


def test_answers_that_are_not_written_are_told() -> None:
    """PA-072."""
    server = Server()
    _, events, metrics = done(server, ReportChecks((StateChange("c1", "Pending", "Ready", "found"),)))
    note = "Admission check c1 updated state from Pending to Ready with message: found"
    assert (server.calls, events) == (
        [],
        [("Normal", "AdmissionCheckUpdated", "AdmissionCheckUpdated", note)],
    )
    assert f"{metric_definitions.ANSWERS}{{" not in metrics.exposition()


def test_a_refused_request_is_told_in_event_and_check() -> None:
    """PA-123, PA-124, PA-156: only the check that it belongs
    to is written, with the time at which it was told.
    """
    server = Server(create_ProvisioningRequest=ApiError(422, "Invalid", "it is invalid"))
    both = workload(entries=[entry("a"), entry("c1")])
    writes, events, _ = done(server, ASKED, of=both)
    text = f'Error creating ProvisioningRequest "{NAME}": it is invalid'
    assert events == [("Warning", "FailedCreate", "FailedCreate", text)]
    (written,) = server.calls[-1][2]["status"]["admissionChecks"]
    assert written == entry("c1", message=text, lastTransitionTime=written["lastTransitionTime"])
    assert written["lastTransitionTime"] > TIME
    assert writes == AGAIN


@pytest.mark.parametrize(("rules", "writes"), [(RULES, ["apply"]), (CORRECTED, [])])
def test_a_refusal_that_is_told_again(rules: ProvisioningRules, writes: list[str]) -> None:
    """PA-124: has another time, as if the state had changed."""
    text = f'Error creating ProvisioningRequest "{NAME}": it is invalid'
    server = Server(create_ProvisioningRequest=ApiError(422, "Invalid", "it is invalid"))
    done(server, ASKED, of=workload(entries=[entry(message=text)]), rules=rules)
    assert [verb for verb, _, _ in server.calls] == ["create", "create", *writes]


def test_a_long_error_is_cut() -> None:
    """PA-124, RG-K14."""
    server = Server(create_ProvisioningRequest=ApiError(422, "Invalid", "x" * 40_000))
    done(server, ASKED)
    message = server.calls[-1][2]["status"]["admissionChecks"][0]["message"]
    assert (len(message), message[-5:]) == (32768, "x ...")


def test_a_template_that_is_left_over_is_made_anew_in_place() -> None:
    """PC-08, fixed: on the revision that was seen."""
    server = Server()
    stale = {"metadata": {"name": "x", "resourceVersion": "3"}}
    template = Template(TEMPLATE["metadata"]["name"], TEMPLATE, replaces=stale)
    done(server, CreateRequest("c1", OBJECT, (template,)))
    assert [(verb, kind) for verb, kind, _ in server.calls[:2]] == [
        ("update", "PodTemplate"),
        ("create", "ProvisioningRequest"),
    ]
    assert server.calls[0][2]["metadata"]["resourceVersion"] == "3"


def test_a_template_that_cannot_be_made_stops_its_request() -> None:
    """PA-122, PC-09."""
    server = Server()
    bad = CreateRequest("c1", OBJECT, (Template("ppt", problem="conflict"),))
    writes, events, _ = done(server, bad)
    assert [kind for _, kind, _ in server.calls] == ["Workload"]
    assert events == [
        ("Warning", "FailedCreate", "FailedCreate", 'Error creating PodTemplate "ppt": conflict')
    ]
    assert writes == AGAIN


@pytest.mark.parametrize(("objects", "is_reported"), [((), False), ((OBJECT,), True)])
def test_a_request_that_exists(objects: Any, is_reported: bool) -> None:
    """PA-125: told once it is known; before, two looks at one Workload may only have raced."""
    server = Server(create_ProvisioningRequest=ApiError(409, "AlreadyExists", "already exists"))
    writes, events, _ = done(server, ASKED, objects=objects)
    assert bool(events) is is_reported
    assert writes == AGAIN


def test_what_fails_does_not_keep_the_rest_from_being_done() -> None:
    """A request of one check beside a broken one of another; all is tried again."""
    server = Server(delete_ProvisioningRequest=ApiError(500, "InternalError", "down"))
    writes, _, _ = done(
        server, Fail("wrong"), DeleteRequest(request()), TransferTemplates(request(), (TEMPLATE,))
    )
    assert [verb for verb, _, _ in server.calls] == ["delete", "update"]
    assert writes == AGAIN


def test_what_is_gone_already_is_no_failure() -> None:
    """A deletion by another client that was faster."""
    server = Server(delete_ProvisioningRequest=ApiError(404, "NotFound", "gone"))
    assert done(server, DeleteRequest(request()))[0] is None


def test_an_answer_that_cannot_be_written_ends_it() -> None:
    """PA-155: what follows was decided for a Workload that is another by now."""
    server = Server(apply_Workload=ApiError(409, "Conflict", "modified"))
    with pytest.raises(ApiError):
        done(server, WriteChecks((entry(message="m"),)), DeleteRequest(request()))
    assert len(server.calls) == 1


def test_it_comes_back_when_asked() -> None:
    """DK-06."""
    assert done(Server(), RequeueLater(5.0))[0] == RequeueAfter(5.0)


@pytest.mark.parametrize(
    ("owner", "follows"),
    [
        ({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload", "controller": True}, True),
        ({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload"}, False),
        ({"apiVersion": "v1", "kind": "ConfigMap", "controller": True}, False),
        ({"apiVersion": "example.com/v1", "kind": "Workload", "controller": True}, False),
    ],
)
def test_whose_events_are_followed(owner: Any, follows: bool) -> None:
    """PC-06: of requests that a Workload controls."""
    key = key_of_owner(request(owner={"name": "wl", "uid": "u", **owner}).object)
    assert (key is not None) is follows
