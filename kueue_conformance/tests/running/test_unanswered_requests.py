"""An autoscaler of the scenario answers a request that exists and waits for an answer."""

from types import SimpleNamespace

import pytest

from kueue_conformance.base.errors import UnmetPremise
from kueue_conformance.stage.provisioning.autoscaler import Autoscaler
from kueue_conformance.stage.requests.provisioning_request import ProvisioningRequest

from .stub import context

WORK = SimpleNamespace(name="work", namespace="ns", object={})


def request(monkeypatch, *objects):
    monkeypatch.setattr(ProvisioningRequest, "attempts", lambda _: objects)
    return ProvisioningRequest(context(), WORK, "check")


def requested(*conditions):
    statuses = [{"type": name, "status": status} for name, status in conditions]
    return {"metadata": {"name": "work-check-1", "namespace": "ns"}, "status": {"conditions": statuses}}


@pytest.mark.parametrize(
    ("objects", "unanswered"),
    [
        pytest.param([], False, id="none"),
        pytest.param([requested()], True, id="new"),
        pytest.param([requested(("Accepted", "True"))], True, id="accepted"),
        pytest.param([requested(("Provisioned", "False"))], True, id="no capacity yet"),
        pytest.param([requested(("Provisioned", "True"))], False, id="provisioned"),
        pytest.param([requested(("Failed", "True"))], False, id="failed"),
        pytest.param([requested(("Failed", "True")), requested()], True, id="another attempt"),
    ],
)
def test_a_request_waits_for_an_answer(monkeypatch, objects, unanswered):
    assert bool(request(monkeypatch, *objects).is_unanswered()) == unanswered


def test_a_request_that_is_gone_leaves_the_rule_undetermined(monkeypatch):
    gone = request(monkeypatch)

    with pytest.raises(UnmetPremise, match="ProvisioningRequest of Workload work for check does not exist"):
        Autoscaler(context()).provision(gone)
