"""The in-process API server: a fork with its own virtual clock for each case. The only importer of fakecluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fakecluster.cluster import FakeCluster
from fakecluster.journal import Change as Written
from fakecluster.journal import Entry

from ..client import RESOURCES, plain
from ..dialect import Dialect
from ..history import Change
from . import JOURNAL, VIRTUAL_TIME, Prepare

_KINDS = {(one.group, one.plural): kind for kind, one in RESOURCES.items()}
_TURNS = 10_000


class FakeBackend:
    """Keeps one prepared cluster for each dialect and lends forks of it."""

    name = "fake"
    features = frozenset({VIRTUAL_TIME, JOURNAL})

    def __init__(self) -> None:
        self._bases: dict[str, FakeCluster] = {}
        self._folder = TemporaryDirectory(prefix="kueue-conformance-")

    def lend(self, dialect: Dialect, prepare: Prepare | None = None) -> FakeLease:
        """Return a cluster for one case."""
        base = self._bases.get(dialect.name)
        if base is None:
            # Plain HTTP: a handshake for each watch of each case proves nothing about admission.
            base = FakeCluster(clock="virtual", controllers="none", tls=False).start()
            if prepare is not None:
                prepare(FakeLease(base, self._file("base")))
            base.settle()
            self._bases[dialect.name] = base
        return FakeLease(base.fork(), self._file("case"))

    def close(self) -> None:
        """Remove what was made."""
        for base in self._bases.values():
            base.stop()
        self._bases.clear()
        self._folder.cleanup()

    def _file(self, name: str) -> Path:
        return Path(self._folder.name) / f"{name}.kubeconfig"


class FakeLease:
    """A running fake cluster with its virtual clock, and the journal as recorder."""

    def __init__(self, cluster: FakeCluster, file: Path) -> None:
        self._cluster = cluster
        self._clock = cluster.virtual_clock
        cluster.kubeconfig(file)
        self.kubeconfig = str(file)
        self.transport = plain(cluster.url, cluster.token())
        self.recorder = JournalRecorder(cluster)

    def now(self) -> float:
        """Return the cluster's present."""
        return self._cluster.clock.now()

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until the condition holds or the time is over."""
        deadline = self.now() + seconds
        while True:
            self._settle(react, condition)
            if condition():
                return True
            due = self._clock.next_due()
            if due is None or due > deadline:
                return False
            self._cluster.advance(due - self.now())

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing more happens."""
        del seconds
        self._settle(react)

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._cluster.run(work(self._cluster.clock))

    def close(self) -> None:
        """Remove what was made."""
        self._cluster.stop()

    def _settle(self, react: Callable[[], bool], enough: Callable[[], bool] = lambda: False) -> None:
        for _ in range(_TURNS):
            self._cluster.settle()
            if enough() or not react():
                return
        raise AssertionError("the stand-ins never come to rest")


class JournalRecorder:
    """Reads changes out of the server's journal, from the moment it was made."""

    def __init__(self, cluster: FakeCluster) -> None:
        self._journal = cluster.journal
        self._changes: list[Change] = []
        self._seen = self._journal.last

    def changes(self) -> Sequence[Change]:
        """Return what happened so far, in order."""
        for entry in self._journal.since(self._seen):
            self._seen = entry.seq
            kind = _KINDS.get((entry.group, entry.resource))
            if kind:
                self._changes += [_change(entry, kind, one) for one in entry.changes]
        return self._changes


def _change(entry: Entry, kind: str, one: Written) -> Change:
    metadata = (one.after or one.before)["metadata"]
    return Change(
        revision=one.revision, at=entry.time, actor=entry.user_agent.partition("/")[0], verb=entry.verb, kind=kind,
        namespace=metadata.get("namespace", ""), name=metadata["name"], before=one.before, after=one.after,
    )  # fmt: skip


def bare_cluster() -> FakeCluster:
    """Return a cluster with nothing installed, not yet started."""
    return FakeCluster(clock="virtual")
