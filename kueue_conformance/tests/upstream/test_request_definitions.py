"""The definition of ProvisioningRequests comes along with a Kueue that the harness installs."""

import pytest

from kueue_conformance.backends.fake import WallFakeBackend
from kueue_conformance.control_planes.upstream.request_definitions import (
    are_requests_served,
    install_request_definitions,
)
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client

DEFINITION = (
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/provisioningrequests.autoscaling.x-k8s.io"
)


@pytest.fixture
def transport():
    backend = WallFakeBackend()
    yield backend.lend(known_dialects()["v0.19"]).transport
    backend.close()


@pytest.fixture
def client(transport):
    return Client(transport, agent="test", run="abcde")


def test_a_cluster_without_the_definition_gets_it_with_the_label_of_the_run(client):
    assert not are_requests_served(client)

    install_request_definitions(client)

    assert are_requests_served(client)
    labels = client.call("GET", DEFINITION)["metadata"]["labels"]
    assert labels["kueue-conformance.dev/run"] == "abcde"


def test_a_definition_of_the_cluster_stays_as_it_is(client, transport):
    install_request_definitions(client)
    before = client.call("GET", DEFINITION)

    install_request_definitions(Client(transport, agent="other", run="fghij"))

    assert client.call("GET", DEFINITION) == before
