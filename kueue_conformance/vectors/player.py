"""Plays a topic against a server: sets it up, asks the vectors in order, tidies up."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from random import SystemRandom

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from . import messages, normalisation, websockets
from .document import Answer, Topic, Vector
from .json_path import pick
from .peers import Peer, ReceivedRequest
from .server import RawResponse, Server
from .structure import comparable_part

ANSWER_TIMEOUT_SECONDS = 15.0
PAUSE = 0.05
REPEATED = re.compile(r"\$\{(\w)\*(\d+)\}")
"""A character so many times, as `${x*140000}`."""
OF_CONTROLLERS = ("configmaps/kube-root-ca.crt", "serviceaccounts/default")
"""Objects that controllers of a cluster add to each namespace after it was created."""
_LETTERS = "bcdfghjklmnpqrstvwxz"
JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class SetupFailed(EnvironmentProblem):
    """A server did not create what a topic starts from."""


class Player:
    """Asks the vectors of one topic in the namespace `namespace`,
    which must not be in use and gets the labels.
    """

    def __init__(
        self, server: Server, topic: Topic, namespace: str, labels: Mapping[str, str] | None = None
    ) -> None:
        self._labels = labels
        self._server = server
        self._topic = topic
        self._values: dict[str, str] = {**topic.names, "ns": namespace}
        self._created: list[str] = []
        self._held: set[str] = set()
        self._peers: dict[str, Peer] = {}
        self._placeholders = {namespace: "${ns}"}

    def play(self) -> tuple[Answer, ...]:
        """Return the normalised answer of each vector."""
        try:
            self._set_up()
            return tuple(self._answer(vector) for vector in self._topic.vectors)
        finally:
            self._tidy()
            for peer in self._peers.values():
                peer.close()

    def _set_up(self) -> None:
        for name, script in self._topic.scripts(self._fill).items():
            peer = self._peers[name] = Peer(script)
            self._values |= peer.values(name)
            self._placeholders = peer.placeholders(name) | self._placeholders
        metadata = {"name": "${ns}"} | ({"labels": dict(self._labels)} if self._labels else {})
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        self._create({"at": "/api/v1/namespaces", "body": namespace})
        self._let_controllers_furnish()
        for setup_step in self._topic.setup:
            self._create(setup_step)

    def _let_controllers_furnish(self) -> None:
        """Wait for the objects that controllers add to every namespace, as `default` has them, so that they
        do not appear during the topic.
        """
        for name in OF_CONTROLLERS:
            default_path, own_path = (
                f"/api/v1/namespaces/{namespace}/{name}" for namespace in ("default", self._values["ns"])
            )
            if self._plain("GET", default_path).status == 200:
                self._until(partial(self._plain, "GET", own_path), lambda raw: raw.status == 200)

    def _create(self, setup_step: Mapping[str, Json]) -> None:
        path = self._fill(setup_step["at"])
        response = self._plain("POST", path, self._fill(json.dumps(setup_step["body"])).encode())
        if response.status >= 300:
            raise SetupFailed(
                f"the server refuses what the exchanges of {self._topic.name!r} start from:"
                f" POST {path} answered {response.status}: {response.body}",
                hint="the user needs the rights of a cluster administrator, and the kinds must not exist already",
            )
        self._note(path, response)
        served = setup_step.get("served")
        if served:
            self._until(lambda: self._plain("GET", self._fill(served)), lambda raw: raw.status == 200)

    def _answer(self, vector: Vector) -> Answer:
        path = self._fill(vector.path)
        until_texts = vector.until if isinstance(vector.until, Mapping) else {"": vector.until}
        until = {self._fill(where): self._fill(text) for where, text in until_texts.items()}
        response = self._until(
            lambda: self._ask(vector, path),
            lambda raw: all(text in _part(raw.body, where) for where, text in until.items()),
        )
        if response.status == 201:
            self._note(path, response)
        for name, where in vector.capture.items():
            self._values[name] = str(pick(response.body, where))
            if self._topic.controllers:
                self._placeholders |= {self._values[name]: f"${{{name}}}"}
        content = (
            pick(response.body, self._fill(vector.pick))
            if vector.pick and response.status < 300
            else response.body
        )
        return Answer(
            response.status,
            normalisation.headers(response.headers, self._topic.headers, self._placeholders),
            self._normal(comparable_part(content, vector.compare)),
            self._received_requests() if vector.received else None,
        )

    def _received_requests(self) -> Json:
        """Return what the peers were asked, in order of peer and path: some are asked at the same time."""
        calls = [self._call(name, request) for name, peer in self._peers.items() for request in peer.take()]
        return sorted(calls, key=lambda call: (call["peer"], call["ask"]))

    def _call(self, name: str, request: ReceivedRequest) -> Json:
        headers = normalisation.headers(request.headers, self._topic.headers, self._placeholders)
        ask = self._normal(f"{request.method} {request.target}")
        return {"peer": name, "ask": ask, "headers": headers, "body": self._normal(request.body)}

    def _normal(self, value: Json) -> Json:
        return normalisation.body(value, self._placeholders, managed_fields=self._topic.managed_fields)

    def _ask(self, vector: Vector, path: str) -> RawResponse:
        for peer in self._peers.values():
            peer.take()
        body = self._body(vector.body)
        own_headers = {"Accept": vector.accept, **({"Content-Type": vector.content} if body else {})}
        if vector.websocket is not None:
            own_headers |= websockets.headers(self._server.origin, vector.websocket)
        headers = {
            name: self._fill(value) for name, value in (own_headers | dict(vector.headers)).items() if value
        }
        return self._server.ask(
            vector.method,
            path,
            user=vector.user,
            headers=headers,
            body=body,
            events=vector.events,
            websocket=vector.websocket is not None,
        )

    def _body(self, body: Json) -> bytes:
        if body is None:
            return b""
        text = self._fill(body if isinstance(body, str) else json.dumps(body))
        if isinstance(body, dict) and body.keys() == {normalisation.MESSAGE}:
            return messages.encode(json.loads(text))
        return text.encode()

    def _plain(self, method: str, path: str, body: bytes = b"") -> RawResponse:
        return self._server.ask(method, path, headers=JSON, body=body)

    def _until(self, ask: Callable[[], RawResponse], enough: Callable[[RawResponse], bool]) -> RawResponse:
        """Ask until the answer is as wanted: a real server follows its own objects with some delay."""
        end = time.monotonic() + ANSWER_TIMEOUT_SECONDS
        response = ask()
        while not enough(response) and time.monotonic() < end:
            time.sleep(PAUSE)  # noqa: TID251 - a server outside has no clock of ours
            response = ask()
        return response

    def _note(self, path: str, response: RawResponse) -> None:
        metadata = (response.body.get("metadata") or {}) if isinstance(response.body, dict) else {}
        name = metadata.get("name")
        plain = path.split("?", 1)[0].rstrip("/")
        if name:
            self._created.append(plain if plain.endswith(f"/{name}") else f"{plain}/{name}")
        if name and metadata.get("finalizers"):
            self._held.add(self._created[-1])

    def _tidy(self) -> None:
        for path in reversed(self._created):
            if path.startswith("/api/v1/namespaces/") and path.count("/") == 4:
                self._plain("DELETE", path)
                self._finalize(path)
            else:
                self._plain("DELETE", f"{path}?propagationPolicy=Background&gracePeriodSeconds=0")
            if path in self._held:
                self._let_go(path)

    def _let_go(self, path: str) -> None:
        """Take the finalizers away that a vector gave an object."""
        body = b'{"metadata": {"finalizers": null}}'
        self._server.ask(
            "PATCH", path, headers={**JSON, "Content-Type": "application/merge-patch+json"}, body=body
        )

    def _finalize(self, path: str) -> None:
        """Let a namespace go where no controller does it."""
        response = self._plain("GET", path)
        if response.status == 200:
            self._plain(
                "PUT", f"{path}/finalize", json.dumps({**response.body, "spec": {"finalizers": []}}).encode()
            )

    def _fill(self, text: str) -> str:
        text = REPEATED.sub(lambda match: match[1] * int(match[2]), text)
        for _ in range(2):  # the file's names refer to the namespace
            for name, value in self._values.items():
                text = text.replace(f"${{{name}}}", value).replace(f'"#{{{name}}}"', value)
        return text


def _part(body: Json, where: str) -> str:
    return json.dumps(pick(body, where) if where else body)


def namespace_for(topic: Topic) -> str:
    """Return a namespace that no earlier run left anything in."""
    return f"{topic.name}-{''.join(SystemRandom().choices(_LETTERS, k=5))}"
