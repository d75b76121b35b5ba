"""Which addresses webhooks and extension servers may make a cluster call."""

from __future__ import annotations

import asyncio
import socket

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import Call
from fakecluster.api.service_address import Address
from fakecluster.api.status import StatusError
from fakecluster.cluster.options import OptionError
from fakecluster.server.outgoing.allowed_networks import Reach
from fakecluster.server.outgoing.answer import NoAnswerError
from fakecluster.server.outgoing.calls import Caller
from fakecluster.server.outgoing.link import ConnectTarget
from fakecluster.tests.hooks import HookServer, allow, configuration

LIMITED = 'only loopback is called, and what the option "outgoing" opens'
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def target(host, *, is_given=False):
    return ConnectTarget(host, 443, host, None, is_configured=is_given)


def hosts(host, *networks, is_given=False):
    return asyncio.run(Reach.of(networks).hosts(target(host, is_given=is_given)))


@pytest.mark.parametrize(
    ("host", "networks"),
    [
        ("127.0.0.1", ()),
        ("127.8.8.8", ()),
        ("::1", ()),
        ("::ffff:7f00:1", ()),
        ("10.1.2.3", ("10.0.0.0/8",)),
        ("10.1.2.3", ("10.1.2.3",)),
        ("169.254.1.1", ("169.254.0.0/16",)),
        ("fd00::1", ("192.168.0.0/16", "fd00::/8")),
    ],
)
def test_an_address_that_may_be_called(host, networks):
    assert hosts(host, *networks) == [host]


@pytest.mark.parametrize(
    ("host", "networks"),
    [
        ("10.1.2.3", ()),
        ("0.0.0.0", ()),
        ("::", ()),
        ("::ffff:10.1.2.3", ()),
        ("169.254.169.254", ()),
        ("169.254.169.254", ("0.0.0.0/0",)),
        ("::ffff:169.254.169.254", ("::/0", "0.0.0.0/0")),
        ("fe80::1", ("::/0",)),
        ("11.1.2.3", ("10.0.0.0/8",)),
    ],
)
def test_an_address_that_may_not_be_called(host, networks):
    with pytest.raises(NoAnswerError, match=LIMITED):
        hosts(host, *networks)


@pytest.fixture
def names(monkeypatch):
    """Answers for names in place of the system; tells which were looked up."""
    addresses, resolved = {"inside.test": "127.0.0.1", "outside.test": "192.0.2.7"}, []

    async def look_up(_, host, port, **__):
        resolved.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (addresses[host], port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", look_up)
    return resolved


def test_no_name_but_localhost_is_looked_up(names):
    with pytest.raises(NoAnswerError, match=r"dial tcp: lookup inside\.test: only loopback is called"):
        hosts("inside.test")

    assert names == []


def test_a_name_stands_for_the_address_that_was_judged(names):
    assert hosts("inside.test", "10.0.0.0/8") == ["127.0.0.1"]


def test_a_name_that_leads_elsewhere_is_not_called(names):
    with pytest.raises(NoAnswerError, match=LIMITED):
        hosts("outside.test", "10.0.0.0/8")


def test_an_address_that_was_given_is_called_wherever_it_is():
    assert hosts("192.0.2.7", is_given=True) == ["192.0.2.7"]


@pytest.mark.parametrize("text", ["10.0.0.0/99", "hooks.example.com", "10.0.0.1/8"])
def test_what_is_no_network_is_told(text):
    with pytest.raises(
        OptionError, match=f"outgoing: '{text}' is no network: expected an address or a network"
    ):
        FakeCluster(outgoing=[text])


def perform(call):
    async def run():
        caller = Caller()
        try:
            return await caller.perform(call)
        finally:
            caller.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("address", "error"),
    [
        (None, f'Post "https://192.0.2.7/": dial tcp 192.0.2.7:443: {LIMITED}'),
        (Address("192.0.2.8", 1), f'Post "https://192.0.2.7/": dial tcp 192.0.2.8:1: {LIMITED}'),
    ],
    ids=["url", "endpoint-of-a-service"],
)
def test_a_call_does_not_leave_loopback(address, error):
    call = Call(method="POST", url="https://192.0.2.7/", timeout=1.0, address=address, follow=True)

    assert perform(call).error == error


def test_a_redirect_does_not_leave_loopback():
    elsewhere = b"HTTP/1.1 307 X\r\nLocation: https://192.0.2.7/x\r\nContent-Length: 0\r\n\r\n"
    with HookServer(lambda _: elsewhere) as hooks, FakeCluster(controllers="none") as cluster:
        cluster.apply([configuration(hooks.client)])
        with pytest.raises(
            StatusError, match=f'Post "https://192.0.2.7/x": dial tcp 192.0.2.7:443: {LIMITED}'
        ):
            cluster.request("POST", CONFIGMAPS, {"metadata": {"name": "a"}})


def test_localhost_is_called():
    with HookServer(allow) as hooks, FakeCluster(controllers="none") as cluster:
        client = {**hooks.client, "url": hooks.client["url"].replace("127.0.0.1", "localhost")}
        cluster.apply([configuration(client)])

        assert cluster.request("POST", CONFIGMAPS, {"metadata": {"name": "a"}})["metadata"]["name"] == "a"
