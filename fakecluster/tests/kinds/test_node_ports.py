"""Ports of nodes that Services are given (FK-498)."""

import pytest

from fakecluster.kinds.core.service import allocators, strategy


def service(ports, uid="a"):
    return {"metadata": {"uid": uid}, "spec": {"type": "NodePort", "ports": ports}}


def node_ports(ports):
    return [port["nodePort"] for port in strategy.allocate(service(ports))["spec"]["ports"]]


def test_every_port_of_a_service_has_a_node_port_of_its_own():
    allocated = node_ports([{"port": number} for number in range(1, 2501)])
    assert len(set(allocated)) == 2500
    assert set(allocated) <= set(allocators.NODE_PORTS)


def test_ports_of_one_number_share_a_node_port():
    first, second = node_ports([{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}])
    assert first == second


def test_a_port_that_was_asked_for_is_given_to_no_other():
    [wish] = node_ports([{"port": 80}])
    first, allocated = node_ports([{"port": 1, "nodePort": wish}, {"port": 80}])
    assert (first, allocated != wish) == (wish, True)


@pytest.mark.parametrize("count", [2768, 3000])
def test_more_ports_than_the_range_has_are_given_some(count):
    assert len(node_ports([{"port": number} for number in range(count)])) == count
