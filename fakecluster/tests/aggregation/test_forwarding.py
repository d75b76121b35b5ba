"""What of a request reaches an extension server, and what of its answer the client (FK-437)."""

from __future__ import annotations

import pytest

from fakecluster.aggregation import forwarding
from fakecluster.api.outcome import Request, User
from fakecluster.api.service_address import Address
from fakecluster.api.websocket_request import BEARER

BEHIND = Address("10.0.0.9", 443)
ALICE = User(name="alice", uid="7", groups=("devs", "qa"), extra={"example.com/scopes": ("view",)})


def request(
    *headers: tuple[str, str], method: str = "GET", path: str = "/apis/g/v1", query=(), body: bytes = b""
) -> Request:
    return Request(
        method=method, path=path, query=query, all_headers=headers, body=body, user=ALICE, audit_id="a1"
    )


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        pytest.param("/apis/g/v1/things", (), "/apis/g/v1/things", id="plain"),
        pytest.param(
            "/apis/g/v1/a%2Fb%20c", (), "/apis/g/v1/a/b%20c", id="escapes are read and written anew"
        ),
        pytest.param("/x", (("b", "2"), ("a", "x y"), ("a", "1")), "/x?a=x+y&a=1&b=2", id="query by key"),
        pytest.param(
            "/x", (("a", "b\r\nX-Remote-User: root"),), "/x?a=b%0D%0AX-Remote-User%3A+root", id="no new lines"
        ),
        pytest.param("/x%0d%0aHost: y", (), "/x%0D%0AHost:%20y", id="no new lines in the path"),
    ],
)
def test_path_and_query_go_through_fk_437(path, query, expected):
    assert forwarding.target(request(path=path, query=query)) == expected


SMUGGLED = [
    pytest.param([("x-remote-user", "root")], "x-remote-user", ["alice"], id="user"),
    pytest.param([("x-remote-group", "system:masters")], "x-remote-group", ["devs", "qa"], id="group"),
    pytest.param([("x-remote-uid", "0")], "x-remote-uid", ["7"], id="uid"),
    pytest.param(
        [("x-remote-extra-example.com%2fscopes", "all")],
        "x-remote-extra-example.com%2fscopes",
        ["view"],
        id="extra",
    ),
    pytest.param([("x-remote-extra-own", "all")], "x-remote-extra-own", [], id="another extra"),
    pytest.param([("authorization", "Bearer secret")], "authorization", [], id="token"),
    pytest.param([("impersonate-user", "root")], "impersonate-user", [], id="mask"),
    pytest.param(
        [("connection", "x-remote-user, x-own"), ("x-own", "1")], "x-own", [], id="what the connection names"
    ),
    pytest.param(
        [("connection", "x-remote-user")],
        "x-remote-user",
        ["alice"],
        id="the connection cannot take the user away",
    ),
    pytest.param([("transfer-encoding", "chunked")], "transfer-encoding", [], id="framing"),
    pytest.param([("content-length", "5")], "content-length", [], id="length"),
    pytest.param([("host", "elsewhere")], "host", ["10.0.0.9:443"], id="host"),
    pytest.param([("te", "gzip, trailers")], "te", ["trailers"], id="te"),
    pytest.param(
        [("x-forwarded-for", "1.2.3.4")], "x-forwarded-for", ["1.2.3.4, 127.0.0.1"], id="forwarded for"
    ),
    pytest.param([("x-own", "1"), ("x-own", "2")], "x-own", ["1", "2"], id="own headers repeat"),
    pytest.param(
        [("sec-websocket-protocol", f"{BEARER}YQ, a"), ("sec-websocket-protocol", "b")],
        "sec-websocket-protocol",
        ["a,b"],
        id="token among subprotocols",
    ),
    pytest.param(
        [("sec-websocket-protocol", f"{BEARER}YQ")],
        "sec-websocket-protocol",
        [],
        id="token as the only subprotocol",
    ),
    pytest.param([("sec-websocket-protocol", "a, b")], "sec-websocket-protocol", ["a, b"], id="subprotocols"),
]


@pytest.mark.parametrize(("headers", "name", "expected"), SMUGGLED)
def test_who_asks_is_said_by_this_server_only_fk_437(headers, name, expected):
    sent = forwarding.headers(request(*headers), BEHIND)

    assert [value for key, value in sent if key.lower() == name] == expected


@pytest.mark.parametrize(
    ("method", "body", "expected"),
    [("GET", b"", []), ("POST", b"", ["0"]), ("POST", b"abc", ["3"]), ("DELETE", b"{}", ["2"])],
    ids=["get", "empty post", "post", "delete with a body"],
)
def test_the_length_is_that_of_the_body_fk_437(method, body, expected):
    sent = forwarding.headers(request(method=method, body=body), BEHIND)

    assert [value for key, value in sent if key == "Content-Length"] == expected


def test_an_answer_keeps_its_own_headers_fk_437():
    headers = (
        ("content-type", "text/plain"),
        ("connection", "x-hop"),
        ("x-hop", "1"),
        ("keep-alive", "timeout=5"),
        ("access-control-allow-origin", "*"),
        ("content-length", "3"),
        ("warning", '299 - "w"'),
    )

    assert forwarding.answer_headers(headers) == (("content-type", "text/plain"), ("warning", '299 - "w"'))
