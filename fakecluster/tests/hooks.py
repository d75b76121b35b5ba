"""A webhook server of its own, and the configurations that name it."""

from __future__ import annotations

import base64
import json
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fakecluster.auth.certificates import LOOPBACK, Authority
from fakecluster.base.json_types import Json

Answer = Callable[[Json], Json]
HTTP_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def allow(review: Json, **fields: Json) -> Json:
    """Return the answer that lets a write through."""
    return {**review, "response": {"uid": review["request"]["uid"], "allowed": True, **fields}}


def deny(review: Json, why: str) -> Json:
    """Return the answer that refuses a write."""
    return allow(review, allowed=False, status={"message": why})


def configuration(client: Json, *, kind: str = "Validating", **fields: Json) -> Json:
    """Return a configuration with one webhook for ConfigMaps and Pods."""
    rule = {
        "operations": ["*"],
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "resources": ["configmaps", "pods", "pods/status"],
    }
    hook = {
        "name": "hook.test.example.com",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "clientConfig": client,
        "rules": [rule],
        **fields,
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": "hooks"},
        "webhooks": [hook],
    }


class HookServer:
    """Answers reviews over HTTPS from a script; bytes are sent unchanged, None closes the connection."""

    def __init__(
        self, answer: Callable[[Json], Json | bytes | None], names: tuple[str, ...] = LOOPBACK
    ) -> None:
        self.reviews: list[Json] = []
        self.answer = answer
        authority = Authority.fresh()
        self.ca = base64.b64encode(authority.pem).decode()
        self._server = _Server(self, authority.context_for(names))
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def __enter__(self) -> HookServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def client(self) -> Json:
        """The `clientConfig` that names this server."""
        return {"url": f"https://{self.address}/", "caBundle": self.ca}


class _Server(ThreadingHTTPServer):
    def __init__(self, hooks: HookServer, context: ssl.SSLContext) -> None:
        self.hooks = hooks
        self._context = context
        super().__init__(("127.0.0.1", 0), _Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        request.settimeout(10)
        with self._context.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callers may hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.hooks.reviews.append(review)
        answer_body = self.server.hooks.answer(review)
        # One exchange a connection, so that closing the server waits for nobody.
        self.close_connection = True
        if answer_body is None:
            return
        body = answer_body if isinstance(answer_body, bytes) else json.dumps(answer_body).encode()
        is_whole = body.startswith(b"HTTP/") or not isinstance(answer_body, dict)
        head = b"" if is_whole else HTTP_OK + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        self.wfile.write(head + body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""
