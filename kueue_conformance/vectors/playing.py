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
from . import messages, normal, websockets
from .document import Answer, Topic, Vector
from .peers import Peer, Received
from .picking import picked
from .server import Raw, Server
from .structure import compared

ANSWER_TIMEOUT_SECONDS = 15.0
PAUSE = 0.05
REPEATED = re.compile(r"\$\{(\w)\*(\d+)\}")
"""A character so many times, as `${x*140000}`."""
OF_CONTROLLERS = ("configmaps/kube-root-ca.crt", "serviceaccounts/default")
"""Objects that controllers of a cluster add to each namespace after it was created."""
_LETTERS = "bcdfghjklmnpqrstvwxz"
JSON = {"Content-Type": "application/json", "Accept": "application/json"}


class SetupRefused(EnvironmentProblem):
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
            return tuple(self._answer(one) for one in self._topic.vectors)
        finally:
            self._tidy()
            for peer in self._peers.values():
                peer.close()

    def _set_up(self) -> None:
        for name, script in self._topic.scripts(self._filled).items():
            peer = self._peers[name] = Peer(script)
            self._values |= peer.values(name)
            self._placeholders = peer.placeholders(name) | self._placeholders
        metadata = {"name": "${ns}"} | ({"labels": dict(self._labels)} if self._labels else {})
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        self._create({"at": "/api/v1/namespaces", "body": namespace})
        self._let_controllers_furnish()
        for one in self._topic.setup:
            self._create(one)

    def _let_controllers_furnish(self) -> None:
        """Wait for the objects that controllers add to every namespace, as `default` has them, so that they
        do not appear during the topic.
        """
        for name in OF_CONTROLLERS:
            there, here = (f"/api/v1/namespaces/{one}/{name}" for one in ("default", self._values["ns"]))
            if self._plain("GET", there).status == 200:
                self._until(partial(self._plain, "GET", here), lambda raw: raw.status == 200)

    def _create(self, one: Mapping[str, Json]) -> None:
        path = self._filled(one["at"])
        found = self._plain("POST", path, self._filled(json.dumps(one["body"])).encode())
        if found.status >= 300:
            raise SetupRefused(
                f"the server refuses what the exchanges of {self._topic.name!r} start from:"
                f" POST {path} answered {found.status}: {found.body}",
                hint="the user needs the rights of a cluster administrator, and the kinds must not exist already",
            )
        self._note(path, found)
        served = one.get("served")
        if served:
            self._until(lambda: self._plain("GET", self._filled(served)), lambda raw: raw.status == 200)

    def _answer(self, vector: Vector) -> Answer:
        path = self._filled(vector.path)
        wanted = vector.until if isinstance(vector.until, Mapping) else {"": vector.until}
        until = {self._filled(where): self._filled(text) for where, text in wanted.items()}
        found = self._until(
            lambda: self._ask(vector, path),
            lambda raw: all(text in _part(raw.body, where) for where, text in until.items()),
        )
        if found.status == 201:
            self._note(path, found)
        for name, where in vector.capture.items():
            self._values[name] = str(picked(found.body, where))
            if self._topic.controllers:
                self._placeholders |= {self._values[name]: f"${{{name}}}"}
        content = (
            picked(found.body, self._filled(vector.pick))
            if vector.pick and found.status < 300
            else found.body
        )
        return Answer(
            found.status,
            normal.headers(found.headers, self._topic.headers, self._placeholders),
            self._normal(compared(content, vector.compare)),
            self._received() if vector.received else None,
        )

    def _received(self) -> Json:
        """Return what the peers were asked, in order of peer and path: some are asked at the same time."""
        calls = [self._call(name, one) for name, peer in self._peers.items() for one in peer.taken()]
        return sorted(calls, key=lambda one: (one["peer"], one["ask"]))

    def _call(self, name: str, one: Received) -> Json:
        headers = normal.headers(one.headers, self._topic.headers, self._placeholders)
        ask = self._normal(f"{one.method} {one.target}")
        return {"peer": name, "ask": ask, "headers": headers, "body": self._normal(one.body)}

    def _normal(self, value: Json) -> Json:
        return normal.body(value, self._placeholders, managed_fields=self._topic.managed_fields)

    def _ask(self, vector: Vector, path: str) -> Raw:
        for peer in self._peers.values():
            peer.taken()
        body = self._body(vector.body)
        wanted = {"Accept": vector.accept, **({"Content-Type": vector.content} if body else {})}
        if vector.websocket is not None:
            wanted |= websockets.headers(self._server.origin, vector.websocket)
        headers = {
            name: self._filled(value) for name, value in (wanted | dict(vector.headers)).items() if value
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
        text = self._filled(body if isinstance(body, str) else json.dumps(body))
        if isinstance(body, dict) and body.keys() == {normal.MESSAGE}:
            return messages.sent(json.loads(text))
        return text.encode()

    def _plain(self, method: str, path: str, body: bytes = b"") -> Raw:
        return self._server.ask(method, path, headers=JSON, body=body)

    def _until(self, ask: Callable[[], Raw], enough: Callable[[Raw], bool]) -> Raw:
        """Ask until the answer is as wanted: a real server follows its own objects with some delay."""
        end = time.monotonic() + ANSWER_TIMEOUT_SECONDS
        found = ask()
        while not enough(found) and time.monotonic() < end:
            time.sleep(PAUSE)  # noqa: TID251 - a server outside has no clock of ours
            found = ask()
        return found

    def _note(self, path: str, found: Raw) -> None:
        metadata = (found.body.get("metadata") or {}) if isinstance(found.body, dict) else {}
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
        found = self._plain("GET", path)
        if found.status == 200:
            self._plain(
                "PUT", f"{path}/finalize", json.dumps({**found.body, "spec": {"finalizers": []}}).encode()
            )

    def _filled(self, text: str) -> str:
        text = REPEATED.sub(lambda found: found[1] * int(found[2]), text)
        for _ in range(2):  # the file's names refer to the namespace
            for name, value in self._values.items():
                text = text.replace(f"${{{name}}}", value).replace(f'"#{{{name}}}"', value)
        return text


def _part(body: Json, where: str) -> str:
    return json.dumps(picked(body, where) if where else body)


def unused_namespace(topic: Topic) -> str:
    """Return a namespace that no earlier run left anything in."""
    return f"{topic.name}-{''.join(SystemRandom().choices(_LETTERS, k=5))}"
