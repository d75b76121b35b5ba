"""Services have the endpoints of the pods that they select (FK-462)."""

import pytest

from fakecluster.controllers import nodes
from fakecluster.controllers.endpoints import packing, pods

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
    (endpoint_slice,) = served.ask("GET", SLICES)["items"]

    assert [
        (endpoint["targetRef"]["name"], endpoint["conditions"]["ready"])
        for endpoint in endpoint_slice["endpoints"]
    ] == [("p", True)]
    assert endpoint_slice["ports"] == [{"name": "", "port": 8080, "protocol": "TCP"}]
    assert endpoint_slice["metadata"]["labels"]["kubernetes.io/service-name"] == "s"


def test_endpoints_say_the_same_fk_462(served):
    (subset,) = served.ask("GET", f"{NAMESPACE}/endpoints/s")["subsets"]

    assert [address["targetRef"]["name"] for address in subset["addresses"]] == ["p"]
    assert subset["ports"] == [{"port": 8080, "protocol": "TCP"}]


def test_a_pod_that_goes_is_no_endpoint_fk_462(served):
    served.ask("DELETE", f"{NAMESPACE}/pods/p", {"gracePeriodSeconds": 0})

    assert [endpoint_slice["endpoints"] for endpoint_slice in served.ask("GET", SLICES)["items"]] == [None]
    assert served.refusals() == []


def test_slices_go_with_their_service_fk_462(served):
    served.ask("DELETE", f"{NAMESPACE}/services/s")

    assert served.names(SLICES) == []


def test_a_service_without_selector_is_left_alone_fk_462(world):
    world.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}})

    assert world.names(SLICES) == []


def test_an_endpoint_knows_its_zone_and_its_change_fk_462(world):
    world.ask("POST", "/api/v1/nodes", nodes.manifest("n", {}, {"topology.kubernetes.io/zone": "z"}))
    world.ask("POST", f"{NAMESPACE}/services", SERVICE)
    world.pass_time(60)
    world.ask("POST", f"{NAMESPACE}/pods", pod("p", app="web"))
    world.pass_time(5)
    (endpoint_slice,) = world.ask("GET", SLICES)["items"]

    assert [(endpoint["nodeName"], endpoint["zone"]) for endpoint in endpoint_slice["endpoints"]] == [
        ("n", "z")
    ]
    annotations = {"endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:01:05Z"}
    assert endpoint_slice["metadata"]["annotations"] == annotations


@pytest.mark.parametrize(("family", "address"), [("IPv4", "10.0.0.1"), ("IPv6", "fd00::1")])
def test_a_slice_has_the_addresses_of_its_family_fk_462(family, address):
    addresses = {"status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}}
    service = {"spec": {"ipFamilies": [family]}}

    assert [pods.addresses(addresses, address_type) for address_type in pods.address_types(service)] == [
        [address]
    ]


def test_endpoints_of_a_service_without_selector_are_mirrored_fk_462(world):
    world.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}})
    subsets = [{"addresses": [{"ip": "10.0.0.9"}], "ports": [{"port": 80}]}]
    world.ask("POST", f"{NAMESPACE}/endpoints", {"metadata": {"name": "s"}, "subsets": subsets})
    mirrored = [endpoint_slice["endpoints"] for endpoint_slice in world.ask("GET", SLICES)["items"]]
    world.ask("DELETE", f"{NAMESPACE}/endpoints/s")

    assert mirrored == [[{"addresses": ["10.0.0.9"], "conditions": {"ready": True}}]]
    assert world.names(SLICES) == []


def endpoints(*names):
    return [{"addresses": [name]} for name in names]


@pytest.mark.parametrize(
    ("present", "desired", "expected"),
    [
        ([], "abc", ["ab", "c"]),
        (["ab"], "abc", ["ab", "c"]),
        (["ab", "c"], "abcd", ["ab", "cd"]),
        (["ab", "cd"], "acd", ["cd", "a"]),
        (["ab", "cd"], "cde", ["cd", "e"]),
        (["ab", "cd"], "acde", ["cd", "ae"]),
        (["ab"], "", []),
    ],
    ids=["new", "full", "fills up", "shrinks", "goes", "fills what shrank", "empty"],
)
def test_endpoints_are_spread_with_few_changes_fk_462(present, desired, expected):
    slices = [
        packing.EndpointSlice(f"s{number}", "IPv4", [], endpoints(*names))
        for number, names in enumerate(present)
    ]
    desired_by_key = {packing.key_of(endpoint): endpoint for endpoint in endpoints(*desired)}

    packed = packing.repack(slices, desired_by_key, "IPv4", [], limit=2)
    assert ["".join(endpoint["addresses"][0] for endpoint in new.endpoints) for new in packed] == expected


def test_a_hundred_endpoints_fill_a_slice_fk_462():
    desired_by_key = {packing.key_of(endpoint): endpoint for endpoint in endpoints(*map(str, range(250)))}

    assert [len(new.endpoints) for new in packing.repack([], desired_by_key, "IPv4", [])] == [100, 100, 50]
