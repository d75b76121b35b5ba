"""Extension servers that are coroutines of the test's process:
forks, quiet, failures, discovery (FK-435…438, FK-442).
"""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError

import pytest
from cryptography import x509

from fakecluster import ExtensionRequest, ExtensionResponse, FakeCluster
from fakecluster.api.outcome import Proxy, Response, User
from fakecluster.api.service_address import Address, ServiceMapError
from fakecluster.api.status import StatusError
from fakecluster.server.outgoing.extension_servers import ExtensionServers
from fakecluster.server.outgoing.relay import Relay

API = "/apis/demo.example.com/v1"
SERVICE = "n/s"
APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
OBJECT = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": "v1.demo.example.com"},
    "spec": {
        "group": "demo.example.com",
        "version": "v1",
        "groupPriorityMinimum": 1,
        "versionPriority": 1,
        "insecureSkipTLSVerify": True,
        "service": {"namespace": "n", "name": "s"},
    },
}
RESOURCES = {
    "kind": "APIResourceList",
    "apiVersion": "v1",
    "groupVersion": "demo.example.com/v1",
    "resources": [
        {"name": "things", "singularName": "thing", "namespaced": True, "kind": "Thing", "verbs": ["get"]}
    ],
}
REFUSED = "error trying to reach service: dial tcp s.n.svc:443: connect: connection refused"
HUNG_UP = "error trying to reach service: EOF"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
JSON = (("Content-Type", "application/json"),)


class Server:
    """A handler that keeps what it is asked and answers pages by path."""

    def __init__(self, **pages: Callable[[ExtensionRequest], Any]) -> None:
        self.pages = pages
        self.asked: list[ExtensionRequest] = []

    async def __call__(self, request: ExtensionRequest) -> ExtensionResponse:
        self.asked.append(request)
        path = request.target.partition("?")[0]
        if path == API:
            return ExtensionResponse(headers=JSON, body=json.dumps(RESOURCES).encode())
        page = self.pages.get(path.rpartition("/")[2])
        if page is None:
            return ExtensionResponse(code=404, headers=(("Content-Type", "text/plain"),), body=b"no\n")
        entry = page(request)
        return await entry if asyncio.iscoroutine(entry) else entry  # type: ignore[no-any-return]

    def targets(self) -> list[str]:
        return [request.target for request in self.asked]


def user_told(request: ExtensionRequest) -> ExtensionResponse:
    user = dict(request.headers)["X-Remote-User"]
    return ExtensionResponse(headers=JSON, body=json.dumps({"user": user}).encode())


@pytest.fixture
def server() -> Server:
    return Server(who=user_told)


@pytest.fixture(params=[True, False], ids=["tls", "no-tls"])
def tls(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def cluster(server: Server) -> Iterator[FakeCluster]:
    with FakeCluster(controllers="none", anonymous=True) as running:
        running.serve_extension(SERVICE, server)
        running.apply([OBJECT])
        running.settle()
        yield running


def available(cluster: FakeCluster) -> tuple[str, str]:
    condition = cluster.request("GET", f"{APISERVICES}/v1.demo.example.com")["status"]["conditions"][0]
    return condition["status"], condition["reason"]


def failure(cluster: FakeCluster, path: str, method: str = "GET") -> tuple[int, str]:
    with pytest.raises(StatusError) as caught:
        cluster.request(method, f"{API}/{path}")
    return caught.value.code, str(caught.value.status["message"]).rstrip("\n")


def test_its_apiservice_is_available_and_discovered_fk_436_fk_442(cluster: FakeCluster) -> None:
    groups = [request["name"] for request in cluster.request("GET", "/apis")["groups"]]

    assert available(cluster) == ("True", "Passed")
    assert "demo.example.com" in groups
    assert cluster.request("GET", API) == RESOURCES


def test_the_request_is_told_as_on_the_wire_fk_437(tls: bool) -> None:
    server = Server(who=user_told)
    with FakeCluster(controllers="none", tls=tls) as cluster:
        cluster.serve_extension(SERVICE, server)
        cluster.apply([OBJECT])
        cluster.settle()
        user = User(name="ann", groups=("dev",))
        entry = cluster.request(
            "POST", f"{API}/a b/who", {"x": 1}, query=(("b", "1 2"), ("a", "ü")), user=user
        )
        last = server.asked[-1]

    assert entry == {"user": "ann"}
    assert (last.method, last.target, last.body) == ("POST", f"{API}/a%20b/who?a=%C3%BC&b=1+2", b'{"x":1}')
    assert ("X-Remote-Group", "dev") in last.headers
    assert bool(last.certificate) is tls


def test_an_escaped_version_is_found_fk_437(cluster: FakeCluster) -> None:
    group, _, version = API.rpartition("/")

    assert "user" in cluster.request("GET", f"{group}/%{ord(version[0]):x}{version[1:]}/who")


def test_the_certificate_is_that_of_the_front_proxy_fk_437(cluster: FakeCluster, server: Server) -> None:
    cluster.request("GET", f"{API}/who")
    shown = x509.load_der_x509_certificate(server.asked[-1].certificate)

    assert shown.subject.rfc4514_string() == "CN=front-proxy-client"


def test_a_fork_is_available_and_asks_nothing_for_half_a_minute_fk_436(
    cluster: FakeCluster, server: Server
) -> None:
    before, other = len(server.asked), Server(who=user_told)
    with cluster.fork() as fork:
        fork.settle()
        first = available(fork)
        fork.serve_extension(SERVICE, other)
        fork.settle()
        groups = json.loads(fork.request("GET", "/apis", headers={"accept": AGGREGATED}))["items"]
        count = len(other.asked)
        fork.advance(30)
        later = available(fork)

    entry = next(request for request in groups if request["metadata"]["name"] == "demo.example.com")
    assert first == later == ("True", "Passed")
    assert entry["versions"][0]["freshness"] == "Current"
    assert entry["versions"][0]["resources"][0]["resource"] == "things"
    assert (count, API in other.targets()) == (0, True)
    assert len(server.asked) == before


def test_a_fork_without_a_handler_is_refused_and_noticed_after_half_a_minute_fk_436_fk_438(
    cluster: FakeCluster,
) -> None:
    with cluster.fork() as fork:
        refused, first = failure(fork, "who"), available(fork)
        fork.advance(30)
        later, unavailable = available(fork), failure(fork, "who")

    assert refused == (503, REFUSED)
    assert (first, later) == (("True", "Passed"), ("False", "FailedDiscoveryCheck"))
    assert unavailable == (503, "service unavailable")


def test_a_change_of_another_service_is_no_reason_to_ask_fk_436(cluster: FakeCluster, server: Server) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "other", "namespace": "n"},
        "spec": {"ports": [{"port": 443}]},
    }
    before = len(server.asked)
    cluster.apply([namespace, service])
    cluster.settle()
    count = len(server.asked)
    cluster.apply([{**service, "metadata": {"name": "s", "namespace": "n"}}])
    cluster.settle()

    assert (count, len(server.asked) > count) == (before, True)


def test_a_server_that_comes_later_is_asked_at_once_fk_436(server: Server) -> None:
    with FakeCluster(controllers="none") as cluster:
        cluster.apply([OBJECT])
        cluster.settle()
        before = available(cluster)
        cluster.serve_extension(SERVICE, server)
        cluster.settle()
        after = available(cluster)

    assert (before, after) == (("False", "ServiceNotFound"), ("True", "Passed"))


def test_a_restarted_cluster_asks_again_fk_436(cluster: FakeCluster, server: Server) -> None:
    before = len(server.asked)
    cluster.restart()
    cluster.settle()

    assert API in [request.target for request in server.asked[before:]]


def test_the_second_of_two_answers_when_the_first_is_stopped(server: Server) -> None:
    second = Server(who=user_told)
    with FakeCluster(controllers="none") as cluster:
        stop = cluster.serve_extension(SERVICE, server)
        stop_second = cluster.serve_extension(SERVICE, second)
        cluster.apply([OBJECT])
        cluster.settle()
        before = second.targets()
        stop()
        cluster.request("GET", f"{API}/who")
        stop_second()
        refused = failure(cluster, "who")

    assert (before, second.targets()) == ([], [f"{API}/who"])
    assert refused == (503, REFUSED)


@pytest.mark.parametrize(
    "page",
    [
        lambda _: 1 / 0,
        lambda _: None,
        lambda _: ExtensionResponse(code=101),
        lambda _: ExtensionResponse(headers=(("a", "b\r\nc: d"),)),
    ],
    ids=["raises", "no-response", "another-protocol", "split-header"],
)
def test_a_handler_that_fails_is_a_server_that_hangs_up_fk_438(
    page: Callable[[ExtensionRequest], Any], cluster: FakeCluster, server: Server, caplog: Any
) -> None:
    server.pages["broken"] = page
    with caplog.at_level(logging.CRITICAL):
        entry = failure(cluster, "broken")

    assert entry == (503, HUNG_UP)
    assert cluster.request("GET", f"{API}/who") == {"user": "admin"}


def test_a_redirect_is_refused_fk_437(cluster: FakeCluster, server: Server) -> None:
    server.pages["moved"] = lambda _: ExtensionResponse(code=302, headers=(("Location", "/"),))

    assert failure(cluster, "moved")[0] == 502


class Held:
    """A page that is at work until it is released."""

    def __init__(self) -> None:
        self.begun, self.gate, self.at_work = threading.Semaphore(0), asyncio.Event(), 0

    async def __call__(self, request: ExtensionRequest) -> ExtensionResponse:
        self.at_work += 1
        self.begun.release()
        await self.gate.wait()
        self.at_work -= 1
        return user_told(request)


def ask(cluster: FakeCluster, path: str, method: str = "GET") -> tuple[threading.Thread, list[Any]]:
    """Ask over the cluster's port in a thread."""
    entry: list[Any] = []
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def asked() -> None:
        url = urllib.request.Request(f"{cluster.url}{API}/{path}", method=method)
        try:
            with urllib.request.urlopen(url, context=context, timeout=10) as answer:
                entry.append((answer.status, json.load(answer), dict(answer.headers)))
        except HTTPError as error:
            entry.append((error.code, error.read().decode()))

    thread = threading.Thread(target=asked)
    thread.start()
    return thread, entry


def test_the_cluster_is_not_quiet_while_handlers_are_at_work(cluster: FakeCluster, server: Server) -> None:
    holder = Held()
    server.pages["held"] = holder
    threads = [ask(cluster, "held") for _ in range(3)]
    at_once = [holder.begun.acquire(timeout=10) for _ in threads]
    cluster.call(lambda: cluster.loop.call_later(0.05, holder.gate.set))
    cluster.settle()
    at_work = holder.at_work
    for thread, _ in threads:
        thread.join()

    assert (at_once, at_work) == ([True] * 3, 0)
    assert [entry[0][:2] for _, entry in threads] == [(200, {"user": "system:anonymous"})] * 3
    assert threads[0][1][0][2]["Content-Length"] == str(len('{"user": "system:anonymous"}'))


@pytest.mark.parametrize(("method", "why"), [("GET", REFUSED), ("POST", HUNG_UP)])
def test_a_server_that_stops_ends_its_requests_fk_438(method: str, why: str) -> None:
    server = Held()
    with FakeCluster(controllers="none", anonymous=True) as cluster:
        stop = cluster.serve_extension(SERVICE, Server(held=server))
        cluster.apply([OBJECT])
        cluster.settle()
        thread, entry = ask(cluster, "held", method)
        assert server.begun.acquire(timeout=10)
        stop()
        thread.join()

    assert entry == [(503, f"{why}\n")]


def test_a_body_without_a_told_length_comes_in_chunks_fk_438(cluster: FakeCluster, server: Server) -> None:
    headers = (*JSON, ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("X-Own", "yes"))
    server.pages["chunks"] = lambda _: ExtensionResponse(headers=headers, body=b"[1]")
    thread, entry = ask(cluster, "chunks")
    thread.join()

    code, body, message = entry[0]
    assert (code, body, message["Transfer-Encoding"], message["x-own"]) == (200, [1], "chunked", "yes")
    assert "Content-Length" not in message


def test_a_service_is_named_with_its_namespace(cluster: FakeCluster) -> None:
    with pytest.raises(ServiceMapError, match="expected namespace/name"):
        cluster.serve_extension("s", Server())


def test_a_handler_that_takes_too_long_is_given_up_fk_438() -> None:
    async def asked() -> tuple[Any, bool]:
        ended = asyncio.Event()

        async def slow(request: ExtensionRequest) -> ExtensionResponse:
            del request
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return ExtensionResponse()

        servers = ExtensionServers(bytes)
        servers.add(SERVICE, slow)
        relay = Relay(lambda _: None, timeout_seconds=0.01, servers=servers)
        proxy = Proxy(
            method="GET",
            target="/",
            headers=(),
            address=Address("s", 443),
            name="s",
            inside=SERVICE,
            answer_headers=lambda headers: headers,
            failed=lambda why: Response(code=503, body=why.encode()),
        )
        answer = await relay.ask(proxy)
        await asyncio.sleep(0)
        return answer, ended.is_set()

    answer, ended = asyncio.run(asked())

    assert (answer.code, answer.body) == (503, b"net/http: timeout awaiting response headers")
    assert ended
