"""What makes an API server pass requests on to the visibility server (VIS-701, VIS-801)."""

import base64

import pytest

from reference_impl.kueue.visibility.registration import (
    ServiceReference,
    api_services,
    outside_service,
    reachable_host,
)

VERSIONS = ("v1beta2", "v1beta1")


def test_a_version_is_an_apiservice_vis_701():
    newer, older = api_services(VERSIONS, ServiceReference())

    assert newer["metadata"] == {"name": "v1beta2.visibility.kueue.x-k8s.io"}
    assert newer["spec"] == {
        "group": "visibility.kueue.x-k8s.io",
        "version": "v1beta2",
        "groupPriorityMinimum": 100,
        "versionPriority": 100,
        "service": {"namespace": "kueue-system", "name": "kueue-visibility-server", "port": 443},
        "insecureSkipTLSVerify": True,
    }
    assert older["metadata"]["name"] == "v1beta1.visibility.kueue.x-k8s.io"


def test_both_versions_trust_an_authority_that_is_known_vis_r12():
    for api_service in api_services(VERSIONS, ServiceReference(port=8082, authority=b"PEM")):
        assert base64.b64decode(api_service["spec"]["caBundle"]) == b"PEM"
        assert "insecureSkipTLSVerify" not in api_service["spec"]
        assert api_service["spec"]["service"]["port"] == 8082


@pytest.mark.parametrize(
    ("listening", "host"),
    [
        ("127.0.0.1", "localhost"),
        ("", "localhost"),
        ("0.0.0.0", "localhost"),
        ("::1", "localhost"),
        ("fd00::1", "localhost"),
        ("172.18.0.1", "172.18.0.1"),
        ("kueue.example.com", "kueue.example.com"),
    ],
)
def test_a_server_that_listens_where_nodes_reach_it_is_behind_that_address(listening, host):
    assert outside_service("ns", reachable_host(listening))["spec"]["externalName"] == host


def test_a_server_on_this_machine_is_behind_a_name_of_it():
    assert outside_service("ns")["spec"] == {"type": "ExternalName", "externalName": "localhost"}
