"""What `make attack` notices, shown on small servers that are wrong on purpose."""

import http.server
import os
import socket
import threading
from types import SimpleNamespace

import pytest

from kueue_conformance.tests.attack import campaign, conversation
from kueue_conformance.tests.attack.campaign import Campaign
from kueue_conformance.tests.attack.conversation import Site
from kueue_conformance.tests.attack.shapes import shapes
from kueue_conformance.tests.attack.targets import Program

SHAPE = "hostile-parameters"


def answering(code, body=b"{}"):
    """A server that answers every request alike."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self):
            self.rfile.readline()
            self.request_version, self.requestline = "HTTP/1.1", ""
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

        def log_message(self, *_):
            pass

    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@pytest.fixture
def serve():
    """Starts servers and ends them."""
    started = []

    def start(server):
        started.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_address[1]

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


def attack(port, programs=()):
    """The findings of a few conversations of one shape with the server on a port."""
    site = Site(name="serve", port=port, tls=False)
    sites = dict.fromkeys(("serve", "front", "metrics", "webhooks"), site)
    targets = SimpleNamespace(sites=sites, anonymous=sites, programs=programs)
    campaign = Campaign(1, targets, tell=lambda _: None, only=frozenset({SHAPE}))
    for number in range(3):
        campaign.act(number)
    campaign._look()
    return campaign.findings


def program(log):
    """A program that runs: this one."""
    process = SimpleNamespace(pid=os.getpid(), poll=lambda: None)
    return Program("serve", process, log)


def test_a_server_that_refuses_is_left_alone(serve):
    assert attack(serve(answering(400))) == []


def test_a_5xx_that_no_real_server_gives_is_found(serve):
    (item, _) = attack(serve(answering(500, b"TypeError('boom')")))

    assert item.startswith("500 b\"TypeError('boom')\": hostile-parameters at ")


def test_a_5xx_that_the_real_server_gives_is_not(serve):
    assert attack(serve(answering(504, b"Timeout: Too large resource version"))) == []


def test_a_server_that_never_answers_is_found(monkeypatch):
    monkeypatch.setattr(conversation, "ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        result = attack(silent.getsockname()[1])

    assert [result_item.partition(":")[0] for result_item in result] == ["no answer", "no answer"]


def test_a_traceback_in_a_log_is_found(serve, tmp_path):
    (tmp_path / "log").write_text("Traceback (most recent call last):\n  boom")

    (item,) = attack(serve(answering(400)), [program(tmp_path / "log")])

    assert item.startswith("serve logged a traceback")


def test_too_much_memory_is_found(serve, tmp_path, monkeypatch):
    (tmp_path / "log").write_text("")
    monkeypatch.setattr(campaign, "MEMORY_BYTES", 1 << 20)

    (item,) = attack(serve(answering(400)), [program(tmp_path / "log")])

    assert "MB of memory; last: hostile-parameters" in item


def test_shapes_have_names_of_their_own():
    names = [shape.name for shape in shapes()]

    assert len(names) == len(set(names))
