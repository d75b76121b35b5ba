"""A front before a fake server that stands for a real one, and clients of both."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import yaml

from fakecluster import FakeCluster
from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream

MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def behind():
    """The server behind."""
    with FakeCluster(clock="wall", tls=False, controllers="none", authorization="rbac") as fake_cluster:
        yield fake_cluster


@pytest.fixture
def front(behind):
    upstream = Upstream(url=behind.url, token=lambda: f"Bearer {behind.token()}")
    with Front(upstream) as front:
        yield front


class Client:
    """A user of the front, with one connection."""

    def __init__(self, front, user, agent="client/1"):
        config = yaml.safe_load(front.kubeconfig(user=user))
        ca = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"])
        trusted = ssl.create_default_context(cadata=ca.decode())
        self.link = http.client.HTTPSConnection(urlsplit(front.url).netloc, timeout=30, context=trusted)
        self.headers = {"Authorization": f"Bearer {front.token(user)}", "User-Agent": agent}

    def send(self, method, path, body=None, **headers):
        """Send a request and return its answer as it begins."""
        headers_given = {name.replace("_", "-"): value for name, value in headers.items()}
        self.link.request(
            method,
            path,
            body if isinstance(body, bytes) else body and json.dumps(body),
            {**self.headers, "Content-Type": "application/json", **headers_given},
        )
        return self.link.getresponse()

    def ask(self, method, path, body=None, **headers):
        """Return code and JSON of an answer."""
        answer = self.send(method, path, body, **headers)
        return answer.status, json.loads(answer.read())

    def merge(self, name, value):
        """Patch a config map."""
        return self.ask(
            "PATCH", f"{MAPS}/{name}", {"data": {"k": value}}, Content_Type="application/merge-patch+json"
        )


@pytest.fixture
def client(front):
    client = Client(front, "anna")
    yield client
    client.link.close()


@pytest.fixture
def other(front):
    client = Client(front, "bert")
    yield client
    client.link.close()


def config_map(name, value="1"):
    return {"metadata": {"name": name}, "data": {"k": value}}


def names(listed):
    return [config_map["metadata"]["name"] for config_map in listed["items"]]


@contextmanager
def scripted():
    """Yield a socket that stands for a server, and a front before it that is not started."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening, Front(Upstream(url=f"http://127.0.0.1:{listening.getsockname()[1]}"))


def answered(listening, answer):
    """Take the next request and answer it; return the connection."""
    link, _ = listening.accept()
    link.recv(65536)
    link.sendall(answer)
    return link


def becomes(true, seconds=10.0):
    """Tell whether something becomes true, which is looked at again and again."""
    pause, end = threading.Event(), time.monotonic() + seconds
    while not (client := true()) and time.monotonic() < end:
        pause.wait(0.002)
    return client
