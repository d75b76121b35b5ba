"""Where a Service is reached (FK-310, FK-436)."""

from __future__ import annotations

import pytest

from fakecluster.api.service_address import (
    Address,
    ServiceMapError,
    ServiceResolver,
    ServiceUnreachableError,
    parse_addresses,
)
from fakecluster.base.json_types import Json
from fakecluster.store import Store

ROUTED = {"clusterIP": "10.0.0.9", "ports": [{"name": "https", "port": 443}, {"port": 80}]}
SLICE = {
    "ports": [{"name": "https", "port": 9443}],
    "endpoints": [
        {"addresses": ["127.0.0.7"], "conditions": {"ready": False}},
        {"addresses": ["127.0.0.8"], "conditions": {"ready": True}},
    ],
}


def services(spec: Json | None, *, addresses: dict[str, str] | None = None) -> ServiceResolver:
    store = Store()
    labels = {"kubernetes.io/service-name": "s"}
    store.commit(
        ("discovery.k8s.io", "endpointslices"),
        ("n", "s-1"),
        {"metadata": {"name": "s-1", "namespace": "n", "labels": labels}, **SLICE},
        expected=None,
    )
    if spec is not None:
        store.commit(
            ("", "services"),
            ("n", "s"),
            {"metadata": {"name": "s", "namespace": "n"}, "spec": spec},
            expected=None,
        )
    return ServiceResolver(store, parse_addresses(addresses or {}))


@pytest.mark.parametrize(
    ("spec", "port", "addresses", "expected"),
    [
        pytest.param(
            ROUTED, 443, {}, Address("127.0.0.8", 9443), id="the ready endpoint behind the named port"
        ),
        pytest.param(
            {"type": "ExternalName", "externalName": "localhost"},
            8443,
            {},
            Address("localhost", 8443),
            id="external name",
        ),
        pytest.param(
            ROUTED,
            443,
            {"n/s": "127.0.0.1:1"},
            Address("127.0.0.1", 1, is_configured=True),
            id="a given address stands above",
        ),
        pytest.param(
            None,
            443,
            {"n/s": "[::1]:9"},
            Address("::1", 9, is_configured=True),
            id="a given address needs no Service",
        ),
    ],
)
def test_a_service_has_an_address_fk_436(
    spec: Json, port: int, addresses: dict[str, str], expected: Address
) -> None:
    assert services(spec, addresses=addresses).address("n", "s", port) == expected


@pytest.mark.parametrize(
    ("spec", "port", "why"),
    [
        pytest.param(None, 443, 'service "s" not found', id="absent"),
        pytest.param(ROUTED, 1, 'no service port 1 found for service "s"', id="another port"),
        pytest.param(
            ROUTED, 80, "dial tcp 10.0.0.9:80: connect: connection refused", id="nobody behind the port"
        ),
        pytest.param(
            {"clusterIP": "None"}, 443, 'cannot route to service with ClusterIP "None"', id="headless"
        ),
    ],
)
def test_a_service_without_an_address_says_why_fk_310(spec: Json, port: int, why: str) -> None:
    with pytest.raises(ServiceUnreachableError) as refused:
        services(spec).address("n", "s", port)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "addresses", [{"s": "h:1"}, {"n/s/t": "h:1"}, {"n/s": "h"}, {"n/s": "h:0"}, {"n/s": ":1"}], ids=str
)
def test_a_wrong_map_of_addresses_is_refused(addresses: dict[str, str]) -> None:
    with pytest.raises(ServiceMapError, match="expected"):
        parse_addresses(addresses)
