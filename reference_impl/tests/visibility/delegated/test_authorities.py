"""The ConfigMap of the authorities: needed at the start, followed afterwards (VIS-005, VIS-401, VIS-R17)."""

import asyncio
import io
import random
from contextlib import asynccontextmanager

import pytest

from reference_impl.kueue.visibility.delegated.authorities import Authorities
from reference_impl.kueue.visibility.delegated.trust import Trust, TrustError
from reference_impl.runtime.client import Stream
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.log import Logger

from ...runtime.clocks import HandClock
from .authorities import Authority, config_map
from .doubles import turns

OLD, NEW, CLIENTS = Authority("old"), Authority("new"), Authority("clients")


class Server:
    """Keeps one ConfigMap, and plays a watch of what it becomes."""

    def __init__(self, stored, *later):
        self.found, self.later, self.asked, self.news = stored, later, [], asyncio.Event()

    async def get(self, resource, key):
        self.asked.append(resource.path(*key))
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    @asynccontextmanager
    async def watch(self, resource, options, namespace=""):
        self.asked.append((resource.path(namespace), options["fieldSelector"]))
        yield Stream("", self._batches())

    async def _batches(self):
        end = {"metadata": {"resourceVersion": "1", "annotations": {"k8s.io/initial-events-end": "true"}}}
        yield [{"type": "ADDED", "object": self.found}, {"type": "BOOKMARK", "object": end}]
        await self.news.wait()
        for kind, obj in self.later:
            yield [{"type": kind, "object": obj}]
        await asyncio.Event().wait()


def make(server):
    clock = HandClock()
    log = Logger(clock=clock, stream=io.StringIO())
    return Authorities(server, clock, log, random=random.Random(1))


def follow(*later):
    """Return who is trusted at first, who is trusted after what comes later, and what was asked."""

    async def run():
        server = Server(config_map(OLD, CLIENTS), *later)
        authorities = make(server)
        await authorities.read()
        first = authorities.trust().proxies
        task = asyncio.create_task(authorities.run())
        await turns()
        server.news.set()
        await turns()
        task.cancel()
        return first, authorities.trust().proxies, server.asked

    return asyncio.run(run())


def test_a_rotation_is_taken_in():
    first, second, queries = follow(("MODIFIED", config_map(NEW, CLIENTS, revision="2")))

    assert (first, second) == ((OLD.certificate,), (NEW.certificate,))
    assert queries == [
        "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
        (
            "/api/v1/namespaces/kube-system/configmaps",
            "metadata.name=extension-apiserver-authentication",
        ),
    ]


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(("DELETED", config_map(OLD, CLIENTS, revision="2")), id="deleted"),
        pytest.param(
            ("MODIFIED", config_map(OLD, CLIENTS, revision="2", **{"requestheader-client-ca-file": "x"})),
            id="nonsense",
        ),
    ],
)
def test_what_says_nothing_changes_nothing(event):
    assert follow(event)[1] == (OLD.certificate,)


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        pytest.param(
            ApiError(403, "Forbidden", 'User "x" cannot get resource'), "cannot get resource", id="forbidden"
        ),
        pytest.param(ApiError(404, "NotFound", "not found"), "not found", id="missing"),
        pytest.param({"data": {}}, "requestheader-client-ca-file is missing", id="empty"),
    ],
)
def test_without_it_there_is_no_start(stored, why):
    with pytest.raises(OutsideError) as refused:
        asyncio.run(make(Server(stored)).read())

    assert "ConfigMap kube-system/extension-apiserver-authentication" in str(refused.value)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        pytest.param("client-ca-file", "x", "client-ca-file holds no certificates", id="no PEM"),
        pytest.param("requestheader-allowed-names", "{", "is not JSON", id="no JSON"),
        pytest.param("requestheader-group-headers", "[1]", "is no list of strings", id="no strings"),
    ],
)
def test_entries_that_cannot_be_read(name, value, complaint):
    with pytest.raises(TrustError, match=complaint):
        Trust.of(config_map(OLD, CLIENTS, **{name: value}))
