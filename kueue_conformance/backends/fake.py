"""The in-process API server: the only importer of fakecluster.

A fork with its own virtual clock for each case; where a foreign subject takes part, one cluster in real time for each worker.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fakecluster.api.outcome import User
from fakecluster.cluster import FakeCluster
from fakecluster.journal import Change as Written
from fakecluster.journal import Entry

from ..client import RESOURCES, Transport, connect
from ..dialect import Dialect
from ..endpoint import TOKEN, USERS, Endpoint
from ..history import SUBJECT, Attempt, Change
from ..loopback import Loopback
from . import JOURNAL, NOBODY, VIRTUAL_TIME, WEBHOOKS, Inside, Prepare

_KINDS = {(one.group, one.plural): kind for kind, one in RESOURCES.items()}
_TURNS = 10_000
_POLL = 0.1
"""Seconds after which a condition is looked at again although nothing was written: it may be about something else."""
_RESTLESS = 10.0
_SUBJECT_USER = "kueue-conformance:subject"
_WRITES = frozenset({"create", "update", "patch", "delete", "deletecollection"})


class FakeBackend:
    """Keeps one prepared cluster for each dialect, and one more with webhooks, and lends forks of them."""

    name = "fake"
    features = frozenset({VIRTUAL_TIME, JOURNAL, WEBHOOKS})
    shared = False
    handle = program = ""

    def __init__(self) -> None:
        self._bases: dict[tuple[str, bool], FakeCluster] = {}
        self._judged = _Judged()
        self._folder = TemporaryDirectory(prefix="kueue-conformance-")

    def lend(self, dialect: Dialect, prepare: Prepare | None = None, webhooks: Inside = NOBODY) -> FakeLease:
        """Return a cluster for one case."""
        base = self._bases.get((dialect.name, bool(webhooks)))
        if base is None:
            # Plain HTTP: a handshake for each watch of each case proves nothing about admission.
            base = FakeCluster(clock="virtual", controllers="none", tls=False, webhooks=webhooks).start()
            if prepare is not None:
                prepare(FakeLease(base, self._file("base")))
            base.settle()
            self._bases[dialect.name, bool(webhooks)] = base
        return FakeLease(base.fork(), self._file("case"))

    def api_server(self) -> Endpoint:
        """Return a cluster as a real API server is run: real time, RBAC, nobody but its clients at work."""
        return self._judged.endpoint()

    def close(self) -> None:
        """Remove what was made."""
        self._judged.close()
        for base in self._bases.values():
            base.stop()
        self._bases.clear()
        self._folder.cleanup()

    def _file(self, name: str) -> Path:
        return Path(self._folder.name) / f"{name}.kubeconfig"


class _Judged:
    """A cluster that is judged itself, started when first asked for."""

    def __init__(self) -> None:
        self._cluster: FakeCluster | None = None

    def endpoint(self) -> Endpoint:
        """Return where it is and who its users are."""
        if self._cluster is None:
            known = {
                TOKEN.format(name): User(name=name, groups=groups, uid=name) for name, groups in USERS.items()
            }
            self._cluster = FakeCluster(
                clock="wall", authorization="rbac", controllers="none", tls=False, tokens=known
            ).start()
        return Endpoint.by_token(self._cluster.url, {name: TOKEN.format(name) for name in USERS})

    def close(self) -> None:
        """Stop it."""
        if self._cluster is not None:
            self._cluster.stop()
        self._cluster = None


class FakeLease:
    """A running fake cluster with its virtual clock, and the journal as recorder."""

    def __init__(self, cluster: FakeCluster, file: Path) -> None:
        self._cluster = cluster
        self._clock = cluster.virtual_clock
        cluster.kubeconfig(file)
        self.kubeconfig = str(file)
        self._loopback = Loopback(cluster.url, cluster.token())
        self.transport: Transport = self._loopback
        self.recorder = JournalRecorder(cluster)

    def now(self) -> float:
        """Return the cluster's present."""
        return self._cluster.clock.now()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until the condition holds or the time is over."""
        deadline = self.now() + seconds
        while not self._settle(react, condition):
            if self.now() >= deadline:
                return False
            due = self._clock.next_due()
            self._cluster.advance(min(deadline, deadline if due is None else due) - self.now())
        return True

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing more happens."""
        del seconds
        self._settle(react)

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._cluster.run(work(self._cluster.clock))

    def identity_for_subject(self, folder: Path) -> str:
        """Return a kubeconfig for the subject."""
        return _identity(self._cluster, folder)

    def close(self) -> None:
        """Remove what was made."""
        self._loopback.close()
        self._cluster.stop()

    def _settle(self, react: Callable[[], bool], enough: Callable[[], bool] = lambda: False) -> bool:
        """Let everything come to rest, stand-ins included; tells whether that was `enough`."""
        for _ in range(_TURNS):
            self._cluster.settle()
            if enough():
                return True
            if not react():
                return False
        raise AssertionError("the stand-ins never come to rest")


class WallFakeBackend:
    """Keeps one cluster in real time for each dialect and lends it to case after case; isolation is by names (H-36)."""

    name = "fake"
    features = frozenset({JOURNAL})
    shared = False
    handle = program = ""

    def __init__(self) -> None:
        self._clusters: dict[str, tuple[FakeCluster, Path]] = {}
        self._judged = _Judged()
        self._folder = TemporaryDirectory(prefix="kueue-conformance-")

    def lend(self, dialect: Dialect, prepare: Prepare | None = None, webhooks: Inside = NOBODY) -> WallLease:
        """Return the worker's cluster for one case, with a story that begins now."""
        del webhooks
        if dialect.name not in self._clusters:
            cluster = FakeCluster(clock="wall", controllers="namespaces").start()
            file = Path(self._folder.name) / f"{dialect.name}.kubeconfig"
            cluster.kubeconfig(file)
            self._clusters[dialect.name] = cluster, file
            if prepare is not None:
                prepare(WallLease(cluster, file))
        return WallLease(*self._clusters[dialect.name])

    def api_server(self) -> Endpoint:
        """Return a cluster as a real API server is run: real time, RBAC, nobody but its clients at work."""
        return self._judged.endpoint()

    def close(self) -> None:
        """Remove what was made."""
        self._judged.close()
        for cluster, _ in self._clusters.values():
            cluster.stop()
        self._clusters.clear()
        self._folder.cleanup()


class WallLease:
    """A running fake cluster in real time, and the journal as recorder."""

    def __init__(self, cluster: FakeCluster, file: Path) -> None:
        self._cluster = cluster
        self.kubeconfig = str(file)
        self.transport = connect(self.kubeconfig)
        self.recorder = JournalRecorder(cluster)
        self._news = threading.Event()
        self._forget = cluster.journal.subscribe(lambda entry: self._news.set() if entry.wrote else None)

    def now(self) -> float:
        """Return the cluster's present."""
        return self._cluster.clock.now()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until the condition holds or the time is over."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            if not react():
                self._changes_within(_POLL)
        return True

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing was written for so long; with something that never stops writing, after a while."""
        deadline = time.monotonic() + max(_RESTLESS, seconds)
        while (react() or self._changes_within(seconds)) and time.monotonic() < deadline:
            pass

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._cluster.run(work(self._cluster.clock))

    def identity_for_subject(self, folder: Path) -> str:
        """Return a kubeconfig for the subject."""
        return _identity(self._cluster, folder)

    def close(self) -> None:
        """End the story; the cluster is the worker's."""
        self._forget()

    def _changes_within(self, seconds: float) -> bool:
        found = self._news.wait(seconds)
        self._news.clear()
        return found


def _identity(cluster: FakeCluster, folder: Path) -> str:
    file = folder / "subject.kubeconfig"
    cluster.kubeconfig(file, user=_SUBJECT_USER)
    return str(file)


class JournalRecorder:
    """Reads changes out of the server's journal, from the moment it was made."""

    knows_users = True

    def __init__(self, cluster: FakeCluster) -> None:
        self._journal = cluster.journal
        self._changes: list[Change] = []
        self._attempts: list[Attempt] = []
        self._seen = self._journal.last

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        self._read()
        return self._changes

    def attempts(self) -> Sequence[Attempt]:
        """Return the subject's write requests so far, in order."""
        self._read()
        return self._attempts

    def _read(self) -> None:
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            kind = _KINDS.get((entry.group, entry.resource))
            if kind:
                self._changes += [_change(entry, kind, one) for one in entry.changes]
                self._attempts += [_attempt(entry, kind)] if _is_write_of_subject(entry) else []


def _change(entry: Entry, kind: str, one: Written) -> Change:
    metadata = (one.after or one.before)["metadata"]
    return Change(
        revision=one.revision, at=entry.time, actor=_actor(entry), verb=entry.verb, kind=kind,
        namespace=metadata.get("namespace", ""), name=metadata["name"], before=one.before, after=one.after,
        subresource=entry.subresource,
    )  # fmt: skip


def _actor(entry: Entry) -> str:
    return SUBJECT if entry.user == _SUBJECT_USER else entry.user_agent.partition("/")[0]


def _is_write_of_subject(entry: Entry) -> bool:
    return entry.user == _SUBJECT_USER and entry.verb in _WRITES and not entry.dry_run


def _attempt(entry: Entry, kind: str) -> Attempt:
    return Attempt(
        at=entry.time, verb=entry.verb, kind=kind, namespace=entry.namespace, name=entry.name,
        subresource=entry.subresource, code=entry.code, message=entry.message, changed=entry.wrote,
    )  # fmt: skip


def bare_cluster() -> FakeCluster:
    """Return a cluster with nothing installed, not yet started."""
    return FakeCluster(clock="virtual")
