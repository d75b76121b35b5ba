"""Services have the endpoints of the pods that they select (FK-462)."""

import pytest

NAMESPACE = "/api/v1/namespaces/default"
SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
SERVICE = {
    "metadata": {"name": "s"},
    "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": "http"}]},
}


def pod(name, **labels):
    ports = [{"name": "http", "containerPort": 8080}]
    annotations = {"fakecluster.dev/script": "5s Running"}
    return {
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "spec": {"containers": [{"name": "c", "image": "i", "ports": ports}]},
    }


@pytest.fixture
def served(world):
    world.ask("POST", f"{NAMESPACE}/services", SERVICE)
    world.ask("POST", f"{NAMESPACE}/pods", pod("p", app="web"))
    world.ask("POST", f"{NAMESPACE}/pods", pod("q", app="other"))
    world.pass_time(5)
    return world


def test_a_ready_pod_is_an_endpoint_fk_462(served):
    (found,) = served.ask("GET", SLICES)["items"]

    assert [(one["targetRef"]["name"], one["conditions"]["ready"]) for one in found["endpoints"]] == [
        ("p", True)
    ]
    assert found["ports"] == [{"name": "", "port": 8080, "protocol": "TCP"}]
    assert found["metadata"]["labels"]["kubernetes.io/service-name"] == "s"


def test_endpoints_say_the_same_fk_462(served):
    (subset,) = served.ask("GET", f"{NAMESPACE}/endpoints/s")["subsets"]

    assert [one["targetRef"]["name"] for one in subset["addresses"]] == ["p"]
    assert subset["ports"] == [{"port": 8080, "protocol": "TCP"}]


def test_a_pod_that_goes_is_no_endpoint_fk_462(served):
    served.ask("DELETE", f"{NAMESPACE}/pods/p", {"gracePeriodSeconds": 0})

    assert [one["endpoints"] for one in served.ask("GET", SLICES)["items"]] == [None]
    assert served.refusals() == []


def test_slices_go_with_their_service_fk_462(served):
    served.ask("DELETE", f"{NAMESPACE}/services/s")

    assert served.names(SLICES) == []


def test_a_service_without_selector_is_left_alone_fk_462(world):
    world.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}})

    assert world.names(SLICES) == []
