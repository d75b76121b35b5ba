"""A server that webhooks are sent to and that misbehaves, in the way that the path of a request names."""

import base64
import contextlib
import http.server
import json
import socket
import ssl
import struct
import threading

from fakecluster.auth.certificates import Authority

LONGEST_SECONDS = 10.0
"""How long an answer may drag on; webhooks wait for less."""
PAUSE_SECONDS = 0.2
PIECE = b"x" * 65_536
HUGE_BYTES = 40_000_000
BYTEWISE = 100_000
TEXT = "t" * 9_000_000


class HostileServer:
    """Answers over TLS on loopback, and on a second port with what is no TLS; use in a `with` block."""

    def __init__(self):
        authority = Authority.fresh()
        self.ca = authority.pem
        self._servers = [_server(_Answer, authority.server_context), _server(_Garbage)]

    def __enter__(self):
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def url(self, behaviour):
        """Return the address of a behaviour."""
        port = self._servers[behaviour == "tls-garbage"].server_address[1]
        return f"https://127.0.0.1:{port}/{behaviour}"


def _server(handler, context=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    return server


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.close_connection = True
        with contextlib.suppress(OSError):  # the cluster hangs up, as it should
            BEHAVIOURS[self.path.strip("/").partition("?")[0]](self, review)

    def send(self, body, code=200, **headers):
        """Send a whole answer."""
        self.begin(code, Content_Length=len(body), **headers)
        self.wfile.write(body)

    def begin(self, code=200, **headers):
        """Send the head of an answer."""
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def handle(self):
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_):
        pass


class _Garbage(http.server.BaseHTTPRequestHandler):
    def handle(self):
        with contextlib.suppress(OSError):
            self.connection.sendall(b"\x16\x03\x01" + b"\xff" * 50_000)


def _answer(review, **fields):
    """Return the body of a review's answer."""
    request = review["request"]
    result = {"uid": request["uid"], "allowed": True, "convertedObjects": request.get("objects"), **fields}
    if "objects" in request:
        result["result"] = {"status": "Success"}
    return json.dumps({**review, "request": None, "response": result}).encode()


def _patch(review, operations):
    patch = base64.b64encode(json.dumps(operations).encode()).decode()
    return _answer(review, patchType="JSONPatch", patch=patch)


def _slow(answer, review):
    body = _answer(review)
    answer.begin(Content_Length=len(body))
    for at in range(min(len(body), int(LONGEST_SECONDS / PAUSE_SECONDS))):
        answer.wfile.write(body[at : at + 1])
        threading.Event().wait(PAUSE_SECONDS)


def _silent(answer, _review):
    answer.connection.settimeout(LONGEST_SECONDS)
    answer.connection.recv(1)


def _endless(answer, _review):
    answer.begin(Transfer_Encoding="chunked")
    for _ in range(HUGE_BYTES // len(PIECE)):
        answer.wfile.write(b"%x\r\n%b\r\n" % (len(PIECE), PIECE))


def _endless_head(answer, _review):
    answer.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        answer.wfile.write(b"X-%d: %b\r\n" % (number, PIECE[:100]))


def _one_byte_records(answer, review):
    body = _answer(review) + b" " * BYTEWISE
    answer.begin(Content_Length=len(body))
    for byte in body:
        answer.wfile.write(bytes((byte,)))


def _reset(answer, _review):
    raw = answer.connection.unwrap() if isinstance(answer.connection, ssl.SSLSocket) else answer.connection
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.close()


BEHAVIOURS = {
    "slow": _slow,
    "silent": _silent,
    "endless": _endless,
    "endless-head": _endless_head,
    "one-byte-records": _one_byte_records,
    "reset": _reset,
    "no-http": lambda answer, _: answer.wfile.write(b"\0\xff" * 5_000),
    "huge": lambda answer, review: answer.send(_answer(review) + b" " * HUGE_BYTES),
    "huge-patch": lambda answer, review: answer.send(_patch(review, [{"op": "add", "path": "/data/t", "value": TEXT}])),
    "many-operations": lambda answer, review: answer.send(_patch(review, [{"op": "add", "path": "/data/t", "value": "t"}] * 20_000)),
    "many-values": lambda answer, review: answer.send(_patch(review, [{"op": "add", "path": "/data", "value": {f"k{n}": "v" for n in range(50_000)}}])),
    "large-objects": lambda answer, review: answer.send(_answer(review, convertedObjects=[{**object_, "spec": {"t": TEXT[:1_200_000]}} for object_ in review["request"].get("objects", ())])),
    "too-many-objects": lambda answer, review: answer.send(_answer(review, convertedObjects=[{}] * 100_000)),
    "malformed": lambda answer, _: answer.send(b'{"response": {"uid": "'),
    "deep": lambda answer, _: answer.send(b"[" * 1_000_000),
    "no-object": lambda answer, _: answer.send(b"[1, null]"),
    "other-types": lambda answer, review: answer.send(_answer(review, uid=[], allowed="yes", patch=1, status=[], warnings=[1] * 10_000, auditAnnotations=3)),
    "other-uid": lambda answer, review: answer.send(_answer(review, uid="another")),
    "many-warnings": lambda answer, review: answer.send(_answer(review, warnings=[f"w{n}" for n in range(100_000)])),
    "refusal": lambda answer, review: answer.send(_answer(review, allowed=False, status={"code": 999, "message": TEXT[:3_000_000]})),
    "redirects": lambda answer, _: answer.send(b"", 302, Location="/redirects"),
    "metadata-address": lambda answer, _: answer.send(b"", 307, Location="http://169.254.169.254/latest/"),
    "no-content": lambda answer, _: answer.begin(204),
    "failure": lambda answer, _: answer.send(PIECE, 503, Retry_After=1),
    "no-gzip": lambda answer, review: answer.send(_answer(review), Content_Encoding="gzip"),
}  # fmt: skip
"""What the server does, by the path that it is asked at."""
OVER_TLS = tuple(BEHAVIOURS)
ALL = (*OVER_TLS, "tls-garbage")
