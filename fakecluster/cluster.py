"""`FakeCluster`: one API server with its clock, journal and store, started inside the process (design.md §6, B-01…B-07).

All clusters of a process share one event loop thread. A fork has its own port and clock and shares everything that does not
change: certificates, tokens, stored objects.
"""

from __future__ import annotations

import asyncio
import errno
import math
import secrets
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, Self, TypeVar, Unpack, cast
from urllib.parse import urlsplit

from msgspec.structs import replace

from . import controllers as own_controllers
from . import files, kubeconfig, mounts, quiet, waiting
from .aggregation.extension_server import ExtensionHandler
from .api.outcome import Outcome, Pending, Request, Response, User
from .api.service_address import service_key
from .auth.certificates import Authority, Certificates, KeyPair
from .clock import Clock, VirtualClock, WallClock
from .controllers import Engine
from .controllers.pods import PodSimulator
from .core import Core
from .fairness import Fairness
from .faults import EndWatch, Faults, match_of
from .inprocess import InProcessClient
from .journal import Journal
from .lab import Desk
from .options import Given, OptionError, Options
from .parts import Parts
from .server.blocking_worker import BlockingWorker
from .server.gate import Gate
from .server.listener import Listener
from .server.loop import LoopThread, NotRunning
from .server.message import Arrived
from .server.outgoing.calls import Caller
from .server.outgoing.extension_servers import ExtensionServers
from .server.outgoing.prober import Prober
from .server.outgoing.relay import Relay, trusting
from .server.priority_and_fairness import PriorityAndFairness
from .store import Snapshot
from .validators import is_number, is_whole
from .waiting import NeverHeld

Json = Any
T = TypeVar("T")
ADMINISTRATOR = User(name="admin", groups=("system:masters",))
QUIET_BUDGET = 30.0


class FakeCluster(InProcessClient):
    """A cluster that starts in milliseconds. Use `start` and `stop`, or a `with` block.

    `Options` says what it can be told. Raises OptionError for anything else.
    """

    def __init__(self, *, _parts: Parts | None = None, **given: Unpack[Given]) -> None:
        parts = self._parts = _parts or Parts.fresh(Options.of(given))
        options = self._options = parts.options
        self._authority, self._settings, self._core = parts.authority, parts.settings, parts.core
        self._extension_servers = ExtensionServers(partial(_certificate, self._authority))
        self.neighbours: list[FakeCluster] = []
        if options.beside and not _parts:
            self.neighbours = options.beside.neighbours
        self.faults = Faults(options.seed, self._core.clock.now, self._core.resources)
        self._port: int | socket.socket = 0 if _parts else options.port
        self._thread: LoopThread | None = None
        self._listener: Listener | None = None
        self._engine: Engine | None = None
        self._blocking_worker: BlockingWorker | None = None
        self.url = ""

    def start(self) -> Self:
        """Listen and answer; harmless when it does already, as a fork does. Raises OSError when the port is taken."""
        if self._thread is not None:
            return self
        core = self._core
        seed = Random(f"requests {self._options.seed}")  # noqa: S311 - reproducible, and no uids of objects
        self._fairness = Fairness(core.store, self._options.seats, core.clock)
        queueing = PriorityAndFairness(self._fairness, core.clock)
        api = core.api
        gate = Gate(
            api.handle, api.refuse, lambda ago: core.ago(ago).api.handle, core.security, queueing, seed
        )
        self._thread = LoopThread.share()
        front_proxy = partial(_front_proxy, self._authority)
        relay = Relay(trusting(front_proxy), reach=self._options.reach, servers=self._extension_servers)
        hosts = self._options.known_as.with_certificate(self._authority.names if self._authority else ())
        caller = Caller(self._options.webhooks, self._options.reach)
        self._listener = Listener(gate, core.store, core.clock, self.faults, relay, caller, hosts)
        self._prober = Prober(core.api, core.extensions, core.learned, relay, self._listener.settle)
        self.neighbours.append(self)
        self._listener.desk = Desk(self)
        context = self._authority.server_context if self._authority else None
        try:
            port = self._thread.run(self._listener.start(self._port, context))
        except OSError:
            self._halt()
            raise
        self._thread.call(self._run_controllers)
        self.url = f"{'https' if self._authority else 'http'}://127.0.0.1:{port}"
        return self

    def stop(self) -> None:
        """Close the port and cut every connection, and warn of faults that hit nothing; harmless when stopped already."""
        if self._thread is not None:
            self.faults.warn_of_unused()
        self._halt()
        self._core.store.close()

    def _halt(self) -> None:
        """Stop as for a restart: what follows the store goes on following it."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self.neighbours.remove(self)
            thread.call(self._end_parts)
            self._take_apart()
            thread.release()

    def _end_parts(self) -> None:
        """End what runs on the loop."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()
        if self._blocking_worker is not None:
            self._blocking_worker.stop()
        self._prober.stop()
        self.listener.stop()

    def _take_apart(self) -> None:
        """Let parts that know each other forget that, so that a stopped cluster is freed without a search for cycles."""
        desk, self.listener.desk = self.listener.desk, None
        if desk is not None:
            desk.stop()
        self._core.api.blocking_worker = None
        self._fairness.stop()

    def _run_controllers(self) -> None:
        """Start the chosen controllers afresh; they find their work in the store."""
        if self._engine is not None:
            self._engine.stop()
        if self._blocking_worker is not None:
            self._blocking_worker.stop()
        self._blocking_worker = self._core.api.blocking_worker = BlockingWorker(self.listener)
        api = self._core.api.living_in(self._parts.pace) if self._parts.pace else self._core.api
        self._engine = own_controllers.engine(api, self._parts.controllers)
        self._engine.start()
        self._prober.stop()
        self._prober.start()

    @property
    def pods(self) -> PodSimulator:
        """Scheduler and kubelet: what pods do, and the means to make one run, succeed or fail (FK-481)."""
        running = self._engine.controllers if self._engine else {}
        found = running.get("pods") or running.get("kubelets")
        if found is None:
            raise RuntimeError("this cluster has no running pods: start it with the controller 'pods'")
        return cast("PodSimulator", found)

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits: by an ERROR event with this code, or by cutting the connection (F-03)."""
        fits, how = match_of(match).fits, EndWatch(code)
        self._running.call(lambda: self.listener.streams.end(fits, how))

    def restart(self, pause: float = 0.0) -> None:
        """Cut every connection and answer again on the same port after so many real seconds; what is stored stays.

        Raises OptionError.
        """
        _seconds("pause", pause)
        self._port = urlsplit(self.url).port or 0
        kept = LoopThread.share()
        self._halt()
        Event().wait(pause)
        self.start()
        kept.release()

    def skew(self, seconds: float) -> None:
        """Let the server's time be ahead of that of its clients, or behind it; 0 for right.

        Raises OptionError, TypeError on virtual time.
        """
        if not isinstance(self.clock, WallClock):
            raise TypeError("skew() needs the wall clock: on virtual time nobody has another time")
        if not is_number(seconds, -math.inf):
            raise OptionError(f"seconds is {seconds!r}: expected a number")
        self.clock.ahead = seconds

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def clock(self) -> Clock:
        """The cluster's time."""
        return self._core.clock

    @property
    def virtual_clock(self) -> VirtualClock:
        """The cluster's time where it is virtual. Raises TypeError on the wall clock."""
        return self._virtual("virtual_clock")

    @property
    def journal(self) -> Journal:
        """Every request with who made it and what it changed."""
        return self._core.journal

    @property
    def loop(self) -> Any:
        """The event loop on which the cluster runs."""
        return self._running.loop

    @property
    def listener(self) -> Listener:
        """The running server."""
        if self._listener is None:
            raise RuntimeError("the cluster is not started: call start() or use it in a with block")
        return self._listener

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run something on the cluster's loop and wait for its result."""
        if self._thread is None:
            coroutine.close()
        return self._running.run(coroutine, timeout)

    def call(self, action: Callable[[], T]) -> T:
        """Do something on the cluster's loop and wait for its result."""
        return self._running.call(action)

    def dial(self, client: asyncio.Protocol) -> None:
        """Connect a client that lives on the cluster's loop without a socket. Raises ConnectionRefusedError when the cluster is stopped."""
        if self._thread is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "the cluster is stopped")
        self.listener.dial(client)

    def exchange(self, arrived: Arrived, patience: float = QUIET_BUDGET) -> Response:
        """Answer a request as if it had come over a connection that no fault disturbs: whoever sends it is authenticated.

        Raises NotRunning, TimeoutError after so many real seconds, TypeError for a watch, which needs a connection.
        """
        outcome = self.call(lambda: self.listener.outcome(arrived))
        found = outcome if isinstance(outcome, Response) else self.run(self.listener.whole(outcome), patience)
        if not isinstance(found, Response):
            raise TypeError(f"{arrived.method} {arrived.target} opens a watch, which needs a connection")
        return found

    def kubeconfig(
        self, path: str | Path | None = None, user: str = "admin", groups: Iterable[str] = ("system:masters",)
    ) -> str:
        """Return a kubeconfig for a user (client certificate and token, everything inline); also write it to `path`."""
        identity = User(name=user, groups=tuple(groups))
        token = self.token(identity)
        ca = self._authority.pem if self._authority else b""
        pair = self._authority.client(user, identity.groups) if self._authority else None
        text = kubeconfig.render(server=self.url, user=user, token=token, ca=ca, pair=pair)
        if path is not None:
            files.write(Path(path), text.encode(), private=True)
        return text

    def write_pki(self, folder: str | Path) -> None:
        """Write the cluster's authorities and keys into a folder as kubeadm lays them out: ca, front-proxy-ca, sa and the like.

        A reader of the folder is administrator of the cluster. Raises PkiError for a folder that is not fit, or without keys; OSError.
        """
        from . import pki  # loads what only this needs

        if not isinstance(self._authority, Authority):
            raise pki.PkiError("this cluster has no authority of its own whose keys could be written")
        pki.write(Path(folder), pki.contents(self._authority, self._settings.signer))

    def token(self, identity: User = ADMINISTRATOR) -> str:
        """Return the bearer token of an identity, made when it has none."""
        tokens = self._settings.tokens
        found = next((one for one, known in tokens.items() if known == identity), "")
        if not found:
            found = secrets.token_urlsafe(24)
            tokens[found] = identity
        return found

    def mount(self, volume: str, folder: Path) -> Callable[[], None]:
        """Keep `secrets/NAMESPACE/NAME`, or a ConfigMap, in a folder until it is called off (FK-483).

        Raises UnknownVolume, OSError.
        """
        resource, name = mounts.named(volume)
        stop = self._running.call(lambda: mounts.mount(self._core.store, resource, name, folder))
        return lambda: self._running.call(stop)

    def serve_extension(self, service: str, handler: ExtensionHandler) -> Callable[[], None]:
        """Let a coroutine on the cluster's loop answer for the Service `namespace/name` of APIServices until the result is called.

        The Service needs no address and no endpoints. Forks know the Service but not the handler: until they have one, requests are
        refused as by a port on which nothing listens. Raises ServiceMapError (FK-435…438).
        """
        key = service_key(service)

        def add() -> Callable[[], None]:
            remove = self._extension_servers.add(key, handler)
            self._core.extensions.answer_inside((key,))
            self._prober.look_for(key)
            return remove

        remove, thread = self._running.call(add), self._running
        return lambda: thread.call(remove) if self._thread is thread else remove()

    def snapshot(self) -> Snapshot:
        """Return the present state; holding it costs nothing."""
        return self._running.call(self._core.store.snapshot)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state; watches end and their readers list again."""

        def back() -> None:
            self._core.restore(snapshot)
            self._run_controllers()
            self.listener.streams.close_all()

        self._running.call(back)

    def fork(self) -> FakeCluster:
        """Return a started cluster with this one's state, on a port and with a clock of its own."""
        return self._child(self._running.call(self._core.fork), self._parts.controllers)

    def at(self, revision: int | None = None, *, time: float | None = None) -> FakeCluster:
        """Return a started cluster that shows this one as it was, at a revision or a time, and cannot be changed (F-05).

        Raises Expired when that has left the history, OptionError when it is none of the past, TypeError unless exactly one of
        the two is given.
        """
        if (revision is None) == (time is None):
            raise TypeError("at() needs a revision or a time, and not both")
        if revision is None:
            when = self.journal.revision_at(_seconds("time", time))
        else:
            newest = self._running.call(lambda: self._core.store.revision)
            if not is_whole(revision, least=1, most=newest):
                raise OptionError(f"revision is {revision!r}: expected one from 1 to {newest}, the newest")
            when = revision
        return self._child(self._running.call(lambda: self._core.at(when or self._core.store.oldest)), ())

    def _child(self, core: Core, controllers: tuple[str, ...]) -> FakeCluster:
        return FakeCluster(_parts=replace(self._parts, core=core, controllers=controllers)).start()

    def settle(self, budget: float = QUIET_BUDGET) -> None:
        """Wait until nothing goes on any more. Raises NotQuiet after `budget` real seconds."""
        self.run(quiet.settle(self._listeners(), self._virtual("settle"), budget))

    def tick(self) -> None:
        """Make the calls that are due at this very moment of virtual time, without moving it."""
        clock = self._virtual("tick")
        self._running.call(lambda: clock.advance_to(clock.now()))

    def advance(self, seconds: float, budget: float = QUIET_BUDGET) -> None:
        """Move virtual time on; whatever becomes due in between happens in order. Raises OptionError, NotQuiet."""
        clock = self._virtual("advance")
        self.run(quiet.advance(self._listeners(), clock, _seconds("seconds", seconds), budget))

    def advance_until_asked(self, seconds: float, budget: float = QUIET_BUDGET) -> None:
        """Move virtual time on until a request was answered at some moment of it, or that many seconds have passed."""
        clock, journal = self._virtual("advance_until_asked"), self.journal
        before, end = journal.last, clock.now() + _seconds("seconds", seconds)
        self.run(quiet.until(lambda: journal.last != before, self._listeners(), clock, end, budget))

    def run_until(
        self, holds: Callable[[], T], max_virtual: float = 3600.0, budget: float = QUIET_BUDGET
    ) -> T:
        """Move virtual time on until `holds` returns something true, and return that (F-02).

        It is called in the caller's thread whenever the cluster is at rest, so it may ask over the network.
        Raises NeverHeld after `max_virtual` seconds of virtual time, NotQuiet after `budget` real ones, OptionError, TypeError.
        """
        clock = self._virtual("run_until")
        end = clock.now() + _seconds("max_virtual", max_virtual)
        _check_callable("run_until", holds)
        self.settle(budget)
        while not (found := holds()):
            if not self.run(quiet.step(self._listeners(), clock, end, budget)):
                raise NeverHeld(
                    f"it did not hold within {max_virtual:g} s of virtual time:\n{self.journal.all}"
                )
        return found

    def wait_until(self, holds: Callable[[], T], seconds: float = 60.0) -> T:
        """Wait until `holds` returns something true, and return that: virtual seconds where time is virtual, else real ones.

        It may ask over the network. Raises NeverHeld, NotQuiet, OptionError, TypeError.
        """
        _check_callable("wait_until", holds)
        if isinstance(self.clock, WallClock):
            return waiting.until(holds, self.journal, self.clock, _seconds("seconds", seconds))
        return self.run_until(holds, seconds)

    def _listeners(self) -> list[Listener]:
        return [one.listener for one in self.neighbours]

    def _virtual(self, what: str) -> VirtualClock:
        if not isinstance(self.clock, VirtualClock):
            raise TypeError(
                f"{what}() needs virtual time, but this cluster runs on the wall clock: use FakeCluster(clock='virtual')"
            )
        return self.clock

    @property
    def _running(self) -> LoopThread:
        if self._thread is None:
            raise NotRunning("the cluster is not running: call start() or use it in a with block")
        return self._thread

    def _ask(self, request: Request) -> Outcome:
        async def asked() -> Outcome:
            outcome = self._core.api.handle(request)
            if isinstance(outcome, Pending) and outcome.until and isinstance(self.clock, VirtualClock):
                return await self._waited(outcome, outcome.until.seconds, self.clock)
            return await self.listener.whole(outcome)

        return self.run(asked())

    async def _waited(self, outcome: Pending, seconds: float, clock: VirtualClock) -> Outcome:
        """Let time pass for a caller who waits for nothing else, and so could not move it."""
        answer = asyncio.create_task(self.listener.whole(outcome))
        await quiet.until(answer.done, self._listeners(), clock, clock.now() + seconds, QUIET_BUDGET)
        return await answer

    def _path_of(self, one: Json) -> str:
        return self._core.path_of(one)


def _seconds(name: str, value: Any) -> float:
    """Return a number of seconds that was given. Raises OptionError."""
    if not is_number(value, 0):
        raise OptionError(f"{name} is {value!r}: expected seconds from 0")
    return float(value)


def _check_callable(method: str, holds: Any) -> None:
    """Raise TypeError for what cannot be called again: `wait_until(pods() == 1)` would be looked at once only."""
    if not callable(holds):
        raise TypeError(f"{method}() needs a function, such as `lambda: …`, and was given {holds!r}")


def _front_proxy(authority: Certificates | None) -> KeyPair | None:
    """Return the certificate by which extension servers know this one."""
    return authority.front_proxy if authority else None


def _certificate(authority: Certificates | None) -> bytes:
    """Return the same certificate as DER, empty when there is none."""
    pair = _front_proxy(authority)
    return ssl.PEM_cert_to_DER_cert(pair.certificate.decode()) if pair else b""
