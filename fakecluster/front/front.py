"""`Front`: stands before an API server that a kubeconfig names,
with users, faults and a journal of its own (F-01, F-03).
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, Self, TypeVar

from ..api.outcome import User
from ..auth.certificates import LOOPBACK, Authority
from ..base import files
from ..base.clock import WallClock
from ..cluster import kubeconfig
from ..faults import EndWatch, Faults, match_of
from ..journal import Journal
from ..recording.upstream import Upstream
from ..server.http.hosts import Hosts
from ..server.threads.errors import NotRunning
from ..server.threads.loop import LoopThread
from ..server.transport.port import BACKLOG
from .authentication import Authentication
from .handler import FrontHandler
from .revisions import Revisions
from .round_tripper import RoundTripper
from .upstream import UpstreamServer

T = TypeVar("T")


class Front:
    """Passes on what its users ask for, in real time and in the name of the kubeconfig.

    Use `start` and `stop`, or a `with` block.

    A client comes with a kubeconfig that `kubeconfig` makes. `faults` disturbs what comes, `journal` tells of
    it. It listens on loopback, or at an address of this machine by which others reach it, such as the pods of
    a cluster in containers. `hosts` are further names by which it may be asked.
    """

    def __init__(
        self,
        upstream: Upstream,
        *,
        port: int = 0,
        seed: int = 0,
        host: str = "127.0.0.1",
        hosts: Iterable[str] = (),
    ) -> None:
        self.clock = WallClock()
        self.faults = Faults(seed, self.clock.now)
        self.journal = Journal(current_time=self.clock.now)
        self.url = ""
        self._authority = Authority.fresh()
        self._certificate = self._authority.context_for(dict.fromkeys((*LOOPBACK, host)))
        self._tokens: dict[str, User] = {}
        self._impersonated_users: dict[str, str] = {}
        self._host = host
        self._port = port
        self._thread: LoopThread | None = None
        server = UpstreamServer(upstream, self._impersonated_users)
        self._round_tripper = RoundTripper(server, self.journal, self.clock)
        names = Hosts.of(hosts).with_certificate((*LOOPBACK, host))
        # Seeded, so that two runs of a test have the same audit ids.
        ids = Random(seed)  # noqa: S311 - ids, not secrets
        authentication = Authentication(self._tokens, ids, self._round_tripper.record_rejection, names)
        self._handler = FrontHandler(authentication, self._round_tripper, server, self.faults, self.clock)

    @classmethod
    def of_kubeconfig(cls, path: str | Path, context: str = "") -> Self:
        """Return a front for the server of a kubeconfig. Raises OSError, UpstreamError."""
        return cls(Upstream.of_kubeconfig(Path(path), context))

    def start(self) -> Self:
        """Listen and answer; harmless when it does already. Raises OSError when the port is taken."""
        if self._thread is not None:
            return self
        self._thread = LoopThread.share()
        try:
            self._open()
        except OSError:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close the port and cut every connection; harmless when stopped already."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self.faults.warn_of_unused()
            # On the loop: its connections may be written to at this moment.
            thread.call(self._handler.stop)
            thread.release()

    def restart(self, pause: float = 0.0) -> None:
        """Cut every connection and answer again on the same port
        after so many seconds; what was asked for meanwhile fails.
        """
        self._running.call(self._handler.stop)
        Event().wait(pause)
        self._open()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def call(self, action: Callable[[], T]) -> T:
        """Do something on the front's loop, where its rules are read, and wait for the result."""
        return self._running.call(action)

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run something on the front's loop and wait for its result."""
        return self._running.run(coroutine, timeout)

    @property
    def revisions(self) -> Revisions:
        """By when the server behind had come to which revision."""
        return self._round_tripper.revisions

    def wait_for_writes(self, seconds: float) -> None:
        """Return when the journal has an entry of every write under way, or after so many seconds."""
        if self._round_tripper.writes_under_way:
            self.run(self._round_tripper.wait_for_writes(seconds))

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits:
        by an ERROR event with this code, or by cutting the connection (F-03).
        """
        fits, how = match_of(match).fits, EndWatch(code)
        self.call(lambda: self._handler.watches.end(fits, how))

    def impersonate(self, user: str, impersonated_user: str) -> None:
        """Pass on what a user of the front asks for in the name
        of another user, which takes the right to impersonate.
        """
        self._impersonated_users[user] = impersonated_user

    def kubeconfig(self, path: str | Path | None = None, user: str = "admin") -> str:
        """Return a kubeconfig for a user of the front, everything inline; also write it to `path`."""
        text = kubeconfig.render(server=self.url, user=user, token=self.token(user), ca=self._authority.pem)
        if path is not None:
            files.write(Path(path), text.encode(), private=True)
        return text

    def token(self, user: str) -> str:
        """Return the bearer token by which a user is known, made when there is none."""
        token = next(
            (known_token for known_token, known_user in self._tokens.items() if known_user.name == user), ""
        )
        if not token:
            token = secrets.token_urlsafe(24)
            self._tokens[token] = User(name=user)
        return token

    def _open(self) -> None:
        door = socket.create_server((self._host, self._port), backlog=BACKLOG)
        # Kept for a restart: a client finds the front where it was.
        self._port = self._running.run(self._handler.start(door, self._certificate))
        self.url = f"https://{self._host}:{self._port}"

    @property
    def _running(self) -> LoopThread:
        if self._thread is None:
            raise NotRunning("the front is not running: call start() or use it in a with block")
        return self._thread
