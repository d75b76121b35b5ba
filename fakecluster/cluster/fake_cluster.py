"""`FakeCluster`: one API server with its clock, journal and store,
started inside the process (design.md §6, B-01…B-07).

All clusters of a process share one event loop thread. A fork has its own port and clock and shares everything
that does not change: certificates, tokens, stored objects.
"""

from __future__ import annotations

import socket
from collections import ChainMap
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, Self, Unpack
from urllib.parse import urlsplit

from msgspec.structs import replace

from ..aggregation.extension_server import ExtensionHandler
from ..api.outcome import Outcome, Request, User
from ..api.service_address import service_key
from ..base import files
from ..base.json_types import Json
from ..base.validators import is_whole
from ..faults import EndWatch, Faults, match_of
from ..lab import Laboratory
from ..server import quiescence
from ..server.listener import Listener
from ..server.outgoing.extension_servers import ExtensionServers
from ..server.outgoing.local_functions import Function
from ..server.threads.callers_loop import CallersLoop
from ..server.threads.loop import LoopThread
from ..store import Snapshot
from . import kubeconfig, mounts
from .composition import Composition
from .inprocess import InProcessClient
from .options import OptionArguments, OptionError, Options
from .pod_control import PodControl
from .running_cluster import RunningCluster, extension_certificate
from .time_control import TimeControl, seconds_of

ADMINISTRATOR = User(name="admin", groups=("system:masters",))


class FakeCluster(InProcessClient, TimeControl):
    """A cluster that starts in milliseconds. Use `start` and `stop`, or a `with` block.

    `Options` says what it can be told. Raises OptionError for anything else.
    """

    def __init__(
        self, *, _composition: Composition | None = None, **arguments: Unpack[OptionArguments]
    ) -> None:
        composition = self._composition = _composition or Composition.fresh(Options.of(arguments))
        options = self._options = composition.options
        self._authority, self._settings = composition.authority, composition.settings
        super().__init__(composition.core)
        self._extension_servers = ExtensionServers(partial(extension_certificate, self._authority))
        self._webhooks: ChainMap[str, Function] = ChainMap({}, dict(options.webhooks))
        self.neighbours: list[FakeCluster] = []
        if options.beside and not _composition:
            self.neighbours = options.beside.neighbours
        self.faults = Faults(options.seed, self._core.clock.now, self._core.resources)
        # A fork takes a port of its own; the original's is in use.
        self._port: int | socket.socket = 0 if _composition else options.port
        self.url = ""
        self._callers_loop: CallersLoop | None = None
        """The loop of its forks that work on call, which goes on from one of them to the next."""

    def start(self) -> Self:
        """Listen and answer; harmless when it does already, as a fork does.

        Raises OSError when the port is taken.
        """
        if self._started is not None:
            return self
        started = self._started = RunningCluster(
            self._composition, self.faults, self._extension_servers, self._webhooks
        )
        # Before the port opens: whoever waits for quiet has to see this listener.
        self.neighbours.append(self)
        started.listener.laboratory = Laboratory(self)
        try:
            self.url = started.listen(self._port)
        except OSError:
            self._halt()
            raise
        return self

    def stop(self) -> None:
        """Close the port and cut every connection, and warn of
        faults that hit nothing; harmless when stopped already.
        """
        if self._started is not None:
            self.faults.warn_of_unused()
        self._halt()
        self._core.store.close()

    def _halt(self) -> None:
        """Stop as for a restart: subscribers of the store stay."""
        if self._started is not None:
            self.neighbours.remove(self)
            started, self._started = self._started, None
            started.stop()
        if self._callers_loop is not None:
            self._callers_loop.release()
            self._callers_loop = None

    @property
    def pods(self) -> PodControl:
        """Scheduler and kubelet: what pods do, and the means to make one run, succeed or fail (FK-481)."""
        pod_control = self._started.pods if self._started else None
        if pod_control is None:
            raise RuntimeError("this cluster has no running pods: start it with the controller 'pods'")
        return pod_control

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits:
        by an ERROR event with this code, or by cutting the connection (F-03).
        """
        fits, how = match_of(match).fits, EndWatch(code)
        self.call(lambda: self.listener.streams.end(fits, how))

    def restart(self, pause: float = 0.0) -> None:
        """Cut every connection and answer again on the same
        port after so many real seconds; what is stored stays.

        Raises OptionError.
        """
        seconds_of("pause", pause)
        self._port = urlsplit(self.url).port or 0
        # The loop must outlive the moment between stop and start, or the cluster would come back on another
        # one.
        loop_share = self._composition.loops.share()
        self._halt()
        Event().wait(pause)
        self.start()
        loop_share.release()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def kubeconfig(
        self, path: str | Path | None = None, user: str = "admin", groups: Iterable[str] = ("system:masters",)
    ) -> str:
        """Return a kubeconfig for a user (client certificate and token,
        everything inline); also write it to `path`.
        """
        identity = User(name=user, groups=tuple(groups))
        text = kubeconfig.of_user(self.url, identity, self.token(identity), self._authority)
        if path is not None:
            files.write(Path(path), text.encode(), private=True)
        return text

    def write_pki(self, folder: str | Path) -> None:
        """Write the cluster's authorities and keys into a folder as kubeadm lays them out: ca,
        front-proxy-ca, sa and the like.

        A reader of the folder is administrator of the cluster. Raises PkiError for a folder that is not fit,
        or without keys; OSError.
        """
        from . import pki  # loads what only this needs

        pki.write(Path(folder), pki.contents(self._authority, self._settings.signer))

    def token(self, identity: User = ADMINISTRATOR) -> str:
        """Return the bearer token of an identity, made when it has none."""
        return self._settings.token_of(identity)

    def mount(self, volume: str, folder: Path) -> Callable[[], None]:
        """Keep `secrets/NAMESPACE/NAME`, or a ConfigMap, in a folder until it is called off (FK-483).

        Raises UnknownVolume, OSError.
        """
        resource, name = mounts.parse_volume(volume)
        stop = self.call(lambda: mounts.mount(self._core.store, resource, name, folder))
        return lambda: self.call(stop)

    def serve_extension(self, service: str, handler: ExtensionHandler) -> Callable[[], None]:
        """Let a coroutine on the cluster's loop answer for the Service `namespace/name` of APIServices until
        the result is called.

        The Service needs no address and no endpoints. Forks know the Service
        but not the handler: until they have one, requests are refused as by
        a port on which nothing listens. Raises ServiceMapError (FK-435…438).
        """
        key = service_key(service)

        def add() -> Callable[[], None]:
            remove = self._extension_servers.add(key, handler)
            self._core.extensions.answer_inside((key,))
            running.prober.look_for(key)
            return remove

        running = self._running
        remove = self.call(add)
        return lambda: self.call(remove) if self._started else remove()

    def serve_webhook(self, url: str, function: Function) -> Callable[[], None]:
        """Let a function answer for a webhook's URL until the result is called, in place of the one that
        option `webhooks` has for it.

        Forks have the option and not this function, which may know this cluster (FK-314).
        """
        self._webhooks[url] = function

        def remove() -> None:
            # Only what was added is removed: the option shows again.
            self._webhooks.maps[0].pop(url, None)

        return remove

    def snapshot(self) -> Snapshot:
        """Return the present state; holding it costs nothing."""
        return self.call(self._core.store.snapshot)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state; watches end and their readers list again."""

        def back() -> None:
            self._core.restore(snapshot)
            self._running.run_controllers()
            self.listener.streams.close_all()

        self.call(back)

    def fork(self, *, on_call: bool = False) -> FakeCluster:
        """Return a started cluster with this one's state, on a port and with a clock of its own.

        With `on_call` it works only while one of its methods is called: nothing happens between two calls,
        and the same calls give the same story. That is for clients on its loop: one with a connection of its
        own is answered during calls only.
        """
        loops = CallersLoop if on_call else LoopThread
        composition = replace(self._composition, core=self.call(self._core.fork), loops=loops)
        if on_call and self._callers_loop is None:
            self._callers_loop = CallersLoop.share()
        return FakeCluster(_composition=composition).start()

    def at(self, revision: int | None = None, *, time: float | None = None) -> FakeCluster:
        """Return a started cluster that shows this one as it was,
        at a revision or a time, and cannot be changed (F-05).

        Raises Expired when that has left the history, OptionError when it is none of the past, TypeError
        unless exactly one of the two is given.
        """
        if (revision is None) == (time is None):
            raise TypeError("at() needs a revision or a time, and not both")
        if revision is None:
            when = self.journal.revision_at(seconds_of("time", time))
        else:
            newest = self.call(lambda: self._core.store.revision)
            if not is_whole(revision, least=1, most=newest):
                raise OptionError(f"revision is {revision!r}: expected one from 1 to {newest}, the newest")
            when = revision
        core = self.call(lambda: self._core.fork_at(when or self._core.store.oldest))
        return FakeCluster(_composition=replace(self._composition, core=core, controllers=())).start()

    def _listeners(self) -> list[Listener]:
        return [neighbour.listener for neighbour in self.neighbours]

    def _ask(self, request: Request) -> Outcome:
        handle = partial(self._core.api.handle, request)
        return self.run(quiescence.answer(handle, self.listener, self._listeners, self.clock))

    def _path_of(self, obj: Json) -> str:
        return self._core.path_of(obj)
