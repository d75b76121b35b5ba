"""Random requests, each made from a seed and its number alone:
mostly nearly right ones, some that are not even HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import quote

from fakecluster.base.json_types import Json

from .kinds import TARGETS, Target
from .values import NASTY, encode, spoil

PATCHES = (
    "application/merge-patch+json",
    "application/json-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
)
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
PARTIAL = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
ACCEPTS = (
    "application/json",
    TABLE,
    PARTIAL,
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "*/*",
    "text/html",
    "a",
    ";;",
    "",
)
TYPES = (
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "text/plain",
    "",
    "application/json; charset=x",
    *PATCHES,
)
OPTIONS: Sequence[tuple[str, Sequence[str]]] = (
    ("labelSelector", ("l=a", "l in (a,b)", "!l", "l=a,", "((", "l==a,l!=b", "a" * 400, "x notin ()")),
    ("fieldSelector", ("metadata.name=a", "spec.x=1", "metadata.name!=b", "=", "a,b", "status.phase=Running", "spec.name=w")),
    ("limit", ("1", "0", "-1", "x", "99999999999999999999")), ("continue", ("x", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ", "")),
    ("resourceVersion", ("0", "1", "", "x", "99999999", "-1", "1000")), ("resourceVersionMatch", ("Exact", "NotOlderThan", "x")),
    ("watch", ("1", "true", "0", "x")), ("allowWatchBookmarks", ("1", "x")), ("sendInitialEvents", ("true", "x")), ("timeoutSeconds", ("1", "0", "x", "-1")),
    ("dryRun", ("All", "x", "")), ("fieldManager", ("m", "", "é", "a" * 200)), ("fieldValidation", ("Strict", "Warn", "Ignore", "x")),
    ("force", ("true", "1", "x")), ("propagationPolicy", ("Foreground", "Orphan", "Background", "x")), ("gracePeriodSeconds", ("0", "-1", "30", "x")),
    ("pretty", ("1", "x")), ("timeout", ("1s", "x", "-1s", "0")), ("x", ("y",)),
)  # fmt: skip
SUBRESOURCES = (
    "status",
    "scale",
    "binding",
    "eviction",
    "token",
    "finalize",
    "log",
    "exec",
    "ephemeralcontainers",
    "resize",
    "proxy",
    "x",
    "approval",
)
PAGES = (
    "/",
    "/api",
    "/apis",
    "/api/v1",
    "/apis/batch",
    "/apis/batch/v1",
    "/version",
    "/healthz",
    "/readyz/ping",
    "/livez",
    "/openapi/v3",
    "/openapi/v2",
    "/openapi/v3/api/v1",
    "/metrics",
    "/.well-known/openid-configuration",
    "/openid/v1/jwks",
    "/apis/fuzz.example.com/v1",
    "/api/v1/watch/pods",
)
SEGMENTS = (
    "..",
    ".",
    "%2e%2e",
    "%00",
    "%ff",
    "%2f",
    "",
    "a%20b",
    "~",
    "é",
    "a" * 300,
    "{x}",
    "a:b",
    "-a",
    "A",
    "🦄",
)
POINTERS = (
    "/metadata/labels/l",
    "/metadata/labels/x",
    "/data/k",
    "/spec",
    "/spec/size",
    "/metadata/name",
    "/metadata/finalizers/-",
    "/a/b",
    "",
    "x",
    "/spec/list/0",
    "/~2",
)


@dataclass(frozen=True)
class Wanted:
    """What is sent: bytes, and whether they are a request that has to be answered."""

    number: int
    sent: bytes
    well_formed: bool

    def told(self) -> str:
        """Return the request as a failure shows it."""
        return f"request {self.number}: {self.sent[:700]!r}"


def request(seed: int, number: int) -> Wanted:
    """Return the request of this number."""
    draw = Random(f"{seed}/{number}")
    if draw.random() < 0.03:
        return Wanted(number, draw.choice(_BROKEN)(draw), False)
    method, path, body, kind = _ask(draw)
    headers = [
        ("Host", "x"),
        ("Accept", _mostly(draw, "application/json", ACCEPTS)),
        ("User-Agent", "fuzz"),
        ("Authorization", "Bearer fuzz"),
    ]
    if body:
        headers += [("Content-Type", kind), ("Content-Length", str(len(body)))]
    if draw.random() < 0.02:
        headers.append(
            draw.choice(
                (
                    ("Impersonate-User", "u"),
                    ("Impersonate-Group", "g"),
                    ("Impersonate-Extra-%", "x"),
                    ("Accept-Encoding", "gzip"),
                    ("If-None-Match", '"x"'),
                )
            )
        )
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers)
    return Wanted(number, head.encode() + b"\r\n" + body, True)


def _ask(draw: Random) -> tuple[str, str, bytes, str]:
    if draw.random() < 0.08:
        return draw.choice(("GET", "GET", "POST", "HEAD")), draw.choice(PAGES) + _query(draw, 0.2), b"", ""
    target = draw.choice(TARGETS)
    name = draw.choice(target.names)
    verb = draw.choice(
        ("GET", "GET", "POST", "POST", "POST", "PUT", "PUT", "PATCH", "PATCH", "PATCH", "DELETE")
    )
    path = target.path if verb == "POST" or draw.random() < 0.15 else f"{target.path}/{name}"
    if draw.random() < 0.1:
        path = f"{target.path}/{name}/{draw.choice(SUBRESOURCES)}"
    if draw.random() < 0.04:
        path = _wander(draw, path)
    body, kind = _body(draw, verb, target, name)
    return (
        draw.choice(("OPTIONS", "HEAD", "TRACE", verb)) if draw.random() < 0.02 else verb,
        path + _query(draw, 0.35),
        body,
        kind,
    )


def _body(draw: Random, verb: str, target: Target, name: str) -> tuple[bytes, str]:
    times = draw.choice((0, 0, 1, 1, 2, 4))
    if verb == "GET":
        return b"", ""
    if verb == "DELETE":
        options = {
            "kind": "DeleteOptions",
            "apiVersion": "v1",
            "preconditions": {"uid": "x"},
            "propagationPolicy": "Orphan",
            "gracePeriodSeconds": 1,
        }
        return (
            (encode(draw, spoil(draw, options, 1 + times)), "application/json")
            if draw.random() < 0.3
            else (b"", "")
        )
    good = target.good(name)
    if verb == "PATCH":
        kind = draw.choice(PATCHES)
        document = _operations(draw) if kind == PATCHES[1] else spoil(draw, good, times)
        return encode(draw, document), kind if draw.random() < 0.95 else draw.choice(TYPES)
    return encode(draw, spoil(draw, good, times)), _mostly(draw, "application/json", TYPES)


def _operations(draw: Random) -> Json:
    return [
        spoil(
            draw,
            {
                "op": draw.choice(("add", "remove", "replace", "move", "copy", "test")),
                "path": draw.choice(POINTERS),
                "from": draw.choice(POINTERS),
                "value": draw.choice(NASTY),
            },
            draw.choice((0, 0, 0, 1)),
        )
        for _ in range(draw.choice((1, 1, 2, 5)))
    ]


def _query(draw: Random, chance: float) -> str:
    if draw.random() > chance:
        return ""
    chosen = [(name, draw.choice(values)) for name, values in draw.sample(OPTIONS, draw.choice((1, 1, 2, 3)))]
    return "?" + "&".join(f"{name}={quote(value)}" for name, value in chosen)


def _wander(draw: Random, path: str) -> str:
    pieces = path.split("/")
    pieces[draw.randrange(1, len(pieces))] = quote(draw.choice(SEGMENTS), safe="%{}:~")
    return "/".join(pieces)


def _mostly(draw: Random, usual: str, alternatives: Sequence[str]) -> str:
    return usual if draw.random() < 0.8 else draw.choice(alternatives)


GET = b"GET /api/v1/pods HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer fuzz\r\n"
_BROKEN: Sequence[Callable[[Random], bytes]] = (
    lambda draw: draw.randbytes(draw.randrange(1, 200)),
    lambda draw: b"GET\r\n\r\n",
    lambda draw: b"GET / HTTP/9.9\r\n\r\n",
    lambda draw: b"get /api HTTP/1.1\r\n\r\n",
    lambda draw: GET + b"no colon\r\n\r\n",
    lambda draw: GET + b"Content-Length: -5\r\n\r\n",
    lambda draw: GET + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    lambda draw: GET + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    lambda draw: GET + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    lambda draw: GET + b"X: " + b"y" * draw.choice((1000, 100_000)) + b"\r\n\r\n",
    lambda draw: b"GET /" + b"a" * draw.choice((1000, 100_000)) + b" HTTP/1.1\r\n\r\n",
    lambda draw: b"GET /api\x00 HTTP/1.1\r\n\r\n",
    lambda draw: b"GET http://x/api HTTP/1.1\r\nHost: x\r\n\r\n",
    lambda draw: b"CONNECT x:1 HTTP/1.1\r\n\r\n",
    lambda draw: b"OPTIONS * HTTP/1.1\r\n\r\n",
    lambda draw: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    lambda draw: GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
)
