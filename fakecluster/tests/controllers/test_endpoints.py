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


def test_an_endpoint_knows_its_zone_and_its_change_fk_462(world):
    world.ask("POST", "/api/v1/nodes", nodes.manifest("n", {}, {"topology.kubernetes.io/zone": "z"}))
    world.ask("POST", f"{NAMESPACE}/services", SERVICE)
    world.pass_time(60)
    world.ask("POST", f"{NAMESPACE}/pods", pod("p", app="web"))
    world.pass_time(5)
    (found,) = world.ask("GET", SLICES)["items"]

    assert [(one["nodeName"], one["zone"]) for one in found["endpoints"]] == [("n", "z")]
    annotations = {"endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:01:05Z"}
    assert found["metadata"]["annotations"] == annotations


@pytest.mark.parametrize(("family", "address"), [("IPv4", "10.0.0.1"), ("IPv6", "fd00::1")])
def test_a_slice_has_the_addresses_of_its_family_fk_462(family, address):
    addresses = {"status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}}
    service = {"spec": {"ipFamilies": [family]}}

    assert [pods.addresses(addresses, one) for one in pods.address_types(service)] == [[address]]


def test_endpoints_of_a_service_without_selector_are_mirrored_fk_462(world):
    world.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}})
    subsets = [{"addresses": [{"ip": "10.0.0.9"}], "ports": [{"port": 80}]}]
    world.ask("POST", f"{NAMESPACE}/endpoints", {"metadata": {"name": "s"}, "subsets": subsets})
    mirrored = [one["endpoints"] for one in world.ask("GET", SLICES)["items"]]
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
    wanted = {packing.key_of(one): one for one in endpoints(*desired)}

    packed = packing.repack(slices, wanted, "IPv4", [], limit=2)
    assert ["".join(one["addresses"][0] for one in new.endpoints) for new in packed] == expected


def test_a_hundred_endpoints_fill_a_slice_fk_462():
    wanted = {packing.key_of(one): one for one in endpoints(*map(str, range(250)))}

    assert [len(new.endpoints) for new in packing.repack([], wanted, "IPv4", [])] == [100, 100, 50]
