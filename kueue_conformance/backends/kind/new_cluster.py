"""A kind cluster that this run makes and deletes, also when it could not be completed."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...base.cluster_options import ClusterOptions
from ...base.errors import ConformanceError, EnvironmentProblem
from ...wire.client import Client
from ...wire.transport import connect
from . import logs, node_image, reaping, state_file
from .engine import Engine
from .kind_program import KindProgram
from .node_readiness import await_ready
from .state_file import ClusterRecord

Tell = Callable[[str], None]


class NewCluster:
    """A cluster that is deleted at the end unless it is kept on purpose."""

    def __init__(
        self,
        engine: Engine,
        kind: KindProgram,
        record: ClusterRecord,
        cluster_options: ClusterOptions,
        tell: Tell,
    ) -> None:
        self._engine = engine
        self._kind = kind
        self._record = record
        self._cluster_options = cluster_options
        self._tell = tell
        self.kubeconfig = state_file.kubeconfig(record.name)

    @classmethod
    def fresh(
        cls, engine: Engine, kind: KindProgram, cluster_options: ClusterOptions, tell: Tell
    ) -> NewCluster:
        """Make a cluster and return it when it is ready.

        Raises ConformanceError, and removes what was made.
        """
        # Before the check of the disk: clusters of killed runs are what fills it.
        for line in reaping.reap(kind):
            tell(f"kind: {line}")
        engine.check_room()
        image = node_image.choose(engine, cluster_options)
        # On disk before anything is made: a run killed at any moment leaves a record for the next
        # (H-41).
        record = state_file.fresh(image.name)
        cluster, began = cls(engine, kind, record, cluster_options, tell), time.monotonic()
        tell(f"kind: making cluster {record.name} from {image.name}")
        try:
            cluster._begin(image.config)
        # Ctrl-C in the minutes that kind takes must not leave half a cluster.
        except BaseException as problem:
            cluster._give_up(problem)
            raise
        tell(f"kind: {record.name} is ready after {time.monotonic() - began:.0f} s")
        return cluster

    @property
    def description(self) -> str:
        """A short description of the cluster."""
        return f"kind {self._kind.version()}, node image {self._record.image}"

    def explain(self) -> None:
        """Write the logs of nodes and pods, and all events, beside the report."""
        logs.gather(self._kind, self._record.name, self.kubeconfig, self._logs())

    def close(self, *, failed: bool) -> None:
        """Delete the cluster, or print how to use and delete it later."""
        if self._cluster_options.keep == "always" or (failed and self._cluster_options.keep == "failed"):
            state_file.keep(self._record, why="something failed" if failed else "--keep always")
            self._tell(_how_to_use(self._record.name, self.kubeconfig))
            return
        try:
            self._kind.delete(self._record.name, self.kubeconfig)
        except EnvironmentProblem as problem:
            # The run is judged: what is left of its cluster changes no verdict.
            self._tell(_how_to_delete(self._record.name, problem))
            return
        # The record goes last: when the deletion fails, a later run tries again.
        state_file.drop(self._record.name)

    def _begin(self, config: Path | None) -> None:
        name = self._record.name
        record_maker = partial(state_file.record_maker, self._record)
        completed = self._kind.create(name, self._record.image, self.kubeconfig, config, record_maker)
        if completed.code:
            raise self._kind.command.failure(["create", "cluster"], completed)
        # `kind --wait` waits for the control plane node alone; service accounts come later.
        await_ready(Client(connect(str(self.kubeconfig)), agent="kueue-conformance"))
        for image in self._cluster_options.load:
            self._kind.load(name, image)

    def _give_up(self, problem: BaseException) -> None:
        """Delete the parts of a cluster that could not be completed; its logs stay beside the report."""
        name, notes = self._record.name, []
        if isinstance(problem, ConformanceError) and (folder := self._logs()):
            # Before the deletion, which takes the logs with it; not after Ctrl-C, whose author
            # waits.
            logs.gather(self._kind, name, self.kubeconfig, folder)
            notes.append(f"logs of what there was of the cluster: {folder}")
        try:
            self._kind.delete(name, self.kubeconfig)
            # After an interruption Docker may still complete a container that kind had ordered.
            if not isinstance(problem, ConformanceError):
                reaping.delete_what_still_comes(self._kind, name)
            state_file.drop(name)
        except EnvironmentProblem:
            notes.append(f"half a cluster is left; remove it with: kueue-conformance cleanup {name}")
        if isinstance(problem, ConformanceError):
            problem.hint = "\n  ".join([problem.hint, *notes])

    def _logs(self) -> Path | None:
        return self._cluster_options.logs / logs.FOLDER if self._cluster_options.logs else None


def _how_to_delete(name: str, problem: EnvironmentProblem) -> str:
    return f"kind: cluster {name} is left: {problem}\n  delete it:      kueue-conformance cleanup {name}"


def _how_to_use(name: str, kubeconfig: Path) -> str:
    return (
        f"kind: cluster {name} is kept\n"
        f"  look at it:     kubectl --kubeconfig {kubeconfig} get workloads -A\n"
        f"  use it again:   --backend kind --kind-reuse {name}\n"
        f"  delete it:      kueue-conformance cleanup {name}"
    )
