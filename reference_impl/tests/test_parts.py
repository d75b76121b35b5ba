"""Which parts make a control plane: with the rest, alone, by gates,
and only where their kinds are served (PA-002, PA-003).
"""

import asyncio

import pytest

from reference_impl.api.kinds import PROVISIONING_REQUESTS
from reference_impl.kueue.composition import compose, dialect_of, program
from reference_impl.kueue.config import Config
from reference_impl.kueue.features import parse
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.kubeconfig import Connection
from reference_impl.runtime.manager import is_served
from reference_impl.runtime.part import OptionalPart

CONNECTION = Connection(server="http://127.0.0.1:1")
PROVISIONING = "ProvisioningPart"


def names(**fields):
    composed = compose(Config(connection=CONNECTION, **fields))
    return [
        type(component.component if isinstance(component, OptionalPart) else component).__name__
        for component in composed
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["QueuePart", "WorkloadPart", "JobPart", PROVISIONING]),
        ({"parts": frozenset({"provisioning-check"})}, [PROVISIONING]),
        ({"parts": frozenset({"admission", "jobs"})}, ["QueuePart", "WorkloadPart", "JobPart"]),
        ({"parts": frozenset({"jobs"})}, ["JobPart"]),
        ({"dialect": "v0.6"}, ["QueuePart", "WorkloadPart", "JobPart"]),
        (
            {"dialect": "v0.6", "features": parse("ProvisioningACC=true")},
            ["QueuePart", "WorkloadPart", "JobPart", PROVISIONING],
        ),
        ({"features": parse("ProvisioningACC=false")}, ["QueuePart", "WorkloadPart", "JobPart"]),
    ],
)
def test_parts(fields, expected):
    assert names(**fields) == expected


def test_beside_another_kueue_the_lease_is_another():
    everything = program(Config(connection=CONNECTION))
    alone = program(Config(connection=CONNECTION, parts=frozenset({"provisioning-check"})))
    assert everything.lease != alone.lease


@pytest.mark.parametrize(
    ("gates", "cleans"), [("", True), ("CleanupProvisioningRequestsOnEviction=false", False)]
)
def test_the_gate_of_the_clean_up(gates, cleans):
    config = Config(connection=CONNECTION, features=parse(gates))
    assert dialect_of(config).provisioning.deletes_requests_on_eviction is cleans


class Client:
    """Answers which resources are served."""

    def __init__(self, answer):
        self._answer = answer

    async def request(self, method, path):
        assert (method, path) == ("GET", "/apis/autoscaling.x-k8s.io/v1")
        if isinstance(self._answer, ApiError):
            raise self._answer
        return {"resources": [{"name": component} for component in self._answer]}


@pytest.mark.parametrize(
    ("answer", "served"),
    [
        (["provisioningrequests", "provisioningrequests/status"], True),
        (["others"], False),
        (ApiError(404, "NotFound", "no such group"), False),
    ],
)
def test_whether_a_kind_is_served(answer, served):
    assert asyncio.run(is_served(Client(answer), PROVISIONING_REQUESTS)) is served


def test_a_server_that_does_not_say():
    with pytest.raises(OutsideError, match="cannot see whether provisioningrequests"):
        asyncio.run(is_served(Client(ApiError(403, "Forbidden", "no")), PROVISIONING_REQUESTS))


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_server_that_is_busy_is_asked_again(code):
    """The manager asks again, until it knows."""
    with pytest.raises(ApiError):
        asyncio.run(is_served(Client(ApiError(code, "", "busy")), PROVISIONING_REQUESTS))
