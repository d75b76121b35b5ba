"""Somebody's cluster, reached through a kubeconfig: real time, a watch as recorder, only our own objects touched."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from ..authors import NOBODY as NO_AUTHOR
from ..authors import author
from ..client import RESOURCES, Client, Transport, connect, endpoint
from ..dialect import Dialect
from ..endpoint import Endpoint
from ..errors import UsageError
from ..history import Change, Request
from . import CLOCK_SKEW, GARBAGE, NOBODY, PODS, SERVER_RESTART, Inside, Prepare, lacking

_WATCHED = ("Workload", "Job", "ClusterQueue", "LocalQueue", "AdmissionCheck")
_POLL = 0.02


class KubeconfigBackend:
    """Lends the one cluster to every case; isolation is by names."""

    name = "kubeconfig"
    features = frozenset({PODS, GARBAGE})
    shared = True
    handle = program = ""

    def __init__(self, path: str, context: str = "", outside: str = "127.0.0.1") -> None:
        self._path = path
        self._outside = outside
        self._context = context
        self._transport: Transport | None = None
        self._recorder: WatchRecorder | None = None
        self._loop = BackgroundLoop()

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, webhooks: Inside = NOBODY
    ) -> LiveCluster:
        """Return the cluster, watched from the first time on. Raises EnvironmentProblem when it does not answer."""
        del dialect, prepare, webhooks
        transport = self._transport = self._transport or connect(self._path, self._context)
        if self._recorder is None:
            Client(transport, agent="kueue-conformance").call("GET", "/version")
            self._recorder = WatchRecorder()
            self._recorder.start(self._path, self._context)
        return LiveCluster(self._path, self._context, transport, self._recorder, self._loop, self._outside)

    def api_server(self) -> Endpoint:
        """Return the cluster's server; alice and bob are impersonated, which needs the rights to do so."""
        return endpoint(self._path, self._context)

    def failed(self) -> None:
        """Keep nothing: the cluster is somebody else's, and still there."""

    def close(self) -> None:
        """Remove what was made."""
        if self._recorder is not None:
            self._recorder.stop()
        self._loop.close()


class LiveCluster:
    """A cluster in real time."""

    faults = None

    def __init__(
        self,
        kubeconfig: str,
        context: str,
        transport: Transport,
        recorder: WatchRecorder,
        loop: BackgroundLoop,
        outside: str,
    ) -> None:
        self.kubeconfig = kubeconfig
        self.outside = outside
        self._context = context
        self.transport = transport
        self.recorder = recorder
        self._loop = loop

    def restart_server(self, pause: float) -> None:
        """Raise UsageError: the server is somebody else's."""
        del pause
        raise lacking(SERVER_RESTART)

    def skew(self, seconds: float) -> None:
        """Raise UsageError: the server is somebody else's."""
        del seconds
        raise lacking(CLOCK_SKEW)

    def now(self) -> float:
        """Return the cluster's present."""
        return time.time()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until the condition holds or the time is over."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            if not react():
                self.recorder.changed(_POLL)
        return True

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing more happens."""
        while react() or self.recorder.changed(seconds):
            pass

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._loop.run(work(None))

    def identity_for_subject(self, folder: Path, replica: int = 1) -> str:
        """Return the kubeconfig itself: an identity of its own for the subject needs rights we may not have."""
        del folder, replica
        if self._context:
            raise UsageError(
                f"a subject cannot be told to use the context {self._context!r}",
                hint="give a kubeconfig whose current-context is the one to use",
            )
        return self.kubeconfig

    def cut_off(self, replica: int) -> None:
        """Do nothing: the subject has no user of its own."""

    def close(self) -> None:
        """Nothing to give back: the objects of the case are removed by its client."""


class BackgroundLoop:
    """An event loop in a thread, started when something is first run on it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine there and return its result."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="control plane")
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Stop the loop."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None


class WatchRecorder:
    """Watches the kinds of the story in threads of its own; authors are guessed from managed fields."""

    knows_users = False

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self._known: dict[tuple[str, str, str], Any] = {}
        self._news = threading.Condition()
        self._stopping = threading.Event()

    def start(self, path: str, context: str) -> None:
        """Watch from now on."""
        for kind in _WATCHED:
            threading.Thread(
                target=self._watch, args=(path, context, kind), daemon=True, name=f"watch {kind}"
            ).start()

    def stop(self) -> None:
        """Let the threads end with their next event."""
        self._stopping.set()

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        with self._news:
            return list(self._changes)

    def requests(self) -> Sequence[Request]:
        """Return nothing: a watch does not show requests."""
        return ()

    attempts = requests

    def changed(self, seconds: float) -> bool:
        """Wait at most so long for the next change; tells whether one came."""
        with self._news:
            return self._news.wait(seconds)

    def _watch(self, path: str, context: str, kind: str) -> None:
        from kubernetes import config
        from urllib3.exceptions import HTTPError

        api = config.new_client_from_config(path, context=context or None)
        url = api.configuration.host.rstrip("/") + RESOURCES[kind].path() + "?watch=true"
        while not self._stopping.is_set():
            headers: dict[str, str] = {"User-Agent": "kueue-conformance/watch"}
            api.update_params_for_auth(headers, [], ["BearerToken"], None, None, None)
            try:
                answer = api.rest_client.pool_manager.request(
                    "GET", url, headers=headers, preload_content=False, retries=False
                )
                # Before Kueue's kinds are installed the answer is a 404.
                for line in _lines(answer) if answer.status == 200 else ():
                    self._note(kind, json.loads(line))
            except HTTPError:
                pass
            self._stopping.wait(_POLL)

    def _note(self, kind: str, event: Any) -> None:
        thing = event["object"]
        if thing.get("kind") != kind:
            return
        metadata = thing["metadata"]
        key = (kind, metadata.get("namespace", ""), metadata["name"])
        with self._news:
            before = self._known.get(key)
            gone = event["type"] == "DELETED"
            self._known[key] = None if gone else thing
            wrote = NO_AUTHOR if gone else author(before, thing)
            self._changes.append(
                Change(
                    revision=int(metadata["resourceVersion"]), at=time.time(), actor=wrote.manager or "unknown", verb=event["type"].lower(),
                    kind=kind, namespace=key[1], name=key[2], before=before, after=None if gone else thing, subresource=wrote.subresource,
                )
            )  # fmt: skip
            self._news.notify_all()


def _lines(answer: Any) -> Any:
    rest = b""
    for chunk in answer.stream(65536):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line for line in whole if line.strip())
