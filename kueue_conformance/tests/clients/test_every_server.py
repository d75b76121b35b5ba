"""Every server of ours is asked by the HTTP clients that people have: a request, one with a body, and one
more on the same connection.

An offer of another protocol, which JDK's client and `curl --http2` make, is ignored (FK-007, harness/H-11).
"""

import http.client
import shutil
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .servers import Servers

PROGRAMS = Path(__file__).with_name("programs")
JSON = ("-H", "Content-Type: application/json", "-d", '{"a": 1}')
CODES = {
    "api-server": [200, 405, 200],
    "front": [401, 401, 401],
    "recording-proxy": [401, 401, 401],
    "metrics": [200, 405, 200],
    "health": [200, 405, 200],
    "visibility": [200, 200, 200],
    "webhooks": [405, 400, 405],
    "cloud": [200, 405, 200],
    "verdicts": [200, 200, 200],
}
"""What each answers to GET, POST, GET of one URL."""
CLIENTS = ("jdk", "node", "go", "curl", "curl-http2", "python")
NEEDS = {"jdk": "java", "node": "node", "go": "go", "curl": "curl", "curl-http2": "curl"}
"""The program of a machine without which a client cannot be tried."""


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """All of them, running."""
    with Servers(tmp_path_factory.mktemp("servers")) as running:
        yield running


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of the clients that have to be compiled, compiled as far as the machine can."""
    folder = tmp_path_factory.mktemp("programs")
    if shutil.which("go"):
        subprocess.run(["go", "build", "-o", folder / "ask", PROGRAMS / "ask.go"], cwd=folder, check=True)
    if shutil.which("javac"):
        subprocess.run(["javac", "-d", folder, PROGRAMS / "Ask.java"], check=True)
    return folder


def command(client, programs, url):
    """Return the command that asks a URL three times and prints a status code a line."""
    curl = ("curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}\n")

    def ask(*options):
        words = (*curl[1:], *options)
        return (*curl[:1], *words, url, "--next", *words, *JSON, url, "--next", *words, url)

    return {
        "jdk": ("java", "-Djdk.internal.httpclient.disableHostnameVerification", "-cp", programs, "Ask", url),
        "node": ("node", PROGRAMS / "ask.mjs", url),
        "go": (programs / "ask", url),
        "curl": ask(),
        "curl-http2": ask("--http2"),
        "python": (sys.executable, PROGRAMS / "ask.py", url),
    }[client]


@pytest.mark.slow
@pytest.mark.parametrize("server", CODES)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_answered(servers, programs, client, server):
    missing = NEEDS.get(client, "")
    if missing and shutil.which(missing) is None:
        pytest.skip(f"unsupported: needs {missing}, not on this machine")

    ended = subprocess.run(
        command(client, programs, servers.urls[server]), capture_output=True, text=True, check=False
    )

    assert (ended.stdout.split(), ended.stderr) == ([str(code) for code in CODES[server]], "")


OFFERS = {
    "jdk": "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nUpgrade: h2c\r\n",
    "okhttp": "Connection: Keep-Alive\r\nAccept-Encoding: gzip\r\nUser-Agent: okhttp/4.12.0\r\n",
    "expects": "Expect: 100-continue\r\n",
}
"""Headers of requests as clients send them."""


@pytest.mark.parametrize("server", CODES)
@pytest.mark.parametrize("headers", OFFERS)
def test_a_body_behind_an_offer_is_not_the_next_request(servers, headers, server):
    url = urlsplit(servers.urls[server])
    target = f"{url.path}?{url.query}" if url.query else url.path
    common = f"Host: {url.netloc}\r\n{OFFERS[headers]}"
    body = b'{"a": 1}'
    with _connection(url) as connection:
        connection.sendall(
            f"POST {target} HTTP/1.1\r\n{common}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        first = _response(connection)
        closes = first.will_close
        if not closes:
            connection.sendall(f"GET {target} HTTP/1.1\r\n{common}\r\n".encode())

        codes = [first.status, *([] if closes else [_response(connection).status])]

    assert codes == CODES[server][1 : 1 + len(codes)]
    assert len(codes) == 2 or server == "recording-proxy", "a connection goes on after an offer"


def _connection(url):
    plain = socket.create_connection((url.hostname, url.port), timeout=10)
    return plain if url.scheme == "http" else ssl._create_unverified_context().wrap_socket(plain)


def _response(connection):
    response = http.client.HTTPResponse(connection)
    response.begin()
    response.read()
    return response
