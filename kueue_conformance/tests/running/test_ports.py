"""Ports for programs that are started: free ones, which no outgoing connection takes meanwhile."""

import socket

import pytest

from kueue_conformance.wire import ports


def test_each_port_is_another_one_and_below_those_of_outgoing_connections():
    ports_found = ports.free_ports(20)

    assert len({*ports_found}) == 20
    assert max(ports_found) < 32_768


def test_a_port_that_is_taken_is_passed_over(monkeypatch):
    (first, second) = ports.free_ports(2)
    monkeypatch.setattr(ports, "OURS", (first, second))

    with socket.create_server(("127.0.0.1", first)):
        assert ports.free_ports(1) == [second]
        with pytest.raises(
            OSError, match=f"2 free ports on 127.0.0.1 are needed between {first} and {second}: 1 are free"
        ):
            ports.free_ports(2)
