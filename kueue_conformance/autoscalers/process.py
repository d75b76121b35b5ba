"""`process:COMMAND`: a program that takes cluster-autoscaler's flags; started beside the API server for each
case, and stopped with it.
"""

from __future__ import annotations

import shlex
import shutil
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from ..backends.cluster import Cluster
from ..base.errors import EnvironmentProblem
from ..base.files import scratch
from ..programs.proof import CLUSTER_AUTOSCALER, Proof, of_file
from ..scenarios.dialect import Dialect
from ..subject.process import RunningProcess, launch
from . import ANSWERS, CONFIGURED, NODE_GROUPS, Flags
from .cloud import Cloud
from .reference.definition import install
from .reference.served_cloud import ServedCloud
from .release import Release, ask_for_release

_STOP_SECONDS = 10.0


class AutoscalerProcess:
    """Starts the program with the flags of a case."""

    name = "process"
    features = frozenset({ANSWERS, CONFIGURED, NODE_GROUPS})

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)
        if not self._command or shutil.which(self._command[0]) is None:
            raise EnvironmentProblem(
                f"the autoscaler cannot be started: there is no program {command!r}",
                hint="check the command after process: and that the file may be executed",
            )

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster that has none."""
        install(cluster, dialect)

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud of this process that any autoscaler reaches."""
        return ServedCloud(cluster)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> RunningProgram:
        """Start the program; a scenario without a cloud gets one without node groups."""
        del dialect
        own = None if isinstance(cloud, ServedCloud) else ServedCloud(cluster)
        behind = cloud if isinstance(cloud, ServedCloud) else own
        assert behind is not None, "it is one of the two"
        folder = scratch.folder("autoscaler-")
        config = Path(folder.name) / "cloud.yaml"
        config.write_text(f'address: "{behind.address}"\n', "utf-8")
        all_flags = {
            "kubeconfig": cluster.kubeconfig,
            "leader-elect": "false",
            "address": "127.0.0.1:0",
            "cloud-provider": "externalgrpc",
            "cloud-config": str(config),
            **flags,
        }
        argv = [*self._command, *(f"--{name}={value}" for name, value in all_flags.items())]
        exit_stack = ExitStack()
        exit_stack.callback(folder.cleanup)
        if own is not None:
            exit_stack.callback(own.close)
        return RunningProgram(launch(argv, folders=(Path(folder.name),)), exit_stack)

    @cached_property
    def _release(self) -> Release | None:
        return ask_for_release(self._command)

    def version(self) -> str:
        """Return the version that the program reports when
        it is asked for it, or started without a cluster.
        """
        return str(self._release or "")

    def proof(self) -> Proof:
        """Return the proof from the executable file. Raises Unproven."""
        file = shutil.which(self._command[0])
        assert file is not None, "it was there when it was named"
        release = self._release
        version = (
            release.version if release is not None and release.program == CLUSTER_AUTOSCALER.name else ""
        )
        return of_file(CLUSTER_AUTOSCALER, Path(file).resolve(), version)


class RunningProgram:
    """A running program."""

    def __init__(self, running: RunningProcess, exit_stack: ExitStack) -> None:
        self._running = running
        self._held = exit_stack

    def stop(self) -> None:
        """Stop the program and what was made for it alone."""
        with self._held:
            self._running.stop(_STOP_SECONDS)

    def exit_reason(self) -> str:
        """Return how the process has ended, with the end of its log; empty while it runs."""
        ended = self._running.exit_reason()
        return "\n".join([ended, *(line.text for line in self._running.log())]) if ended else ""
