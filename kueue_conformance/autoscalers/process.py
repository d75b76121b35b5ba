"""`process:COMMAND`: a program with cluster-autoscaler's flags is started beside the API server for each case, and ended with it."""

from __future__ import annotations

import shlex
import shutil

from ..backends import Cluster, lacking
from ..dialect import Dialect
from ..errors import EnvironmentProblem
from ..subject.process import RunningProcess, launched
from . import ANSWERS, CONFIGURED, NODE_GROUPS, Flags
from .cloud import Cloud
from .reference.definition import install

_STOP = 10.0


class Process:
    """Starts the program with the flags of a case."""

    name = "process"
    features = frozenset({ANSWERS, CONFIGURED})

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
        """Raise UsageError: there is none of ours behind it."""
        del cluster
        raise lacking(NODE_GROUPS)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> Program:
        """Start it."""
        del dialect, cloud
        told = {"kubeconfig": cluster.kubeconfig, "leader-elect": "false", "address": "127.0.0.1:0", **flags}
        return Program(launched([*self._command, *(f"--{name}={value}" for name, value in told.items())]))

    def version(self) -> str:
        """Return nothing: what it prints is in its log."""
        return ""


class Program:
    """The program at work."""

    def __init__(self, running: RunningProcess) -> None:
        self._running = running

    def stop(self) -> None:
        """End it."""
        self._running.stop(_STOP)

    def ended(self) -> str:
        """Tell how the process has ended, with the end of its log; empty while it lives."""
        ended = self._running.ended()
        return "\n".join([ended, *(line.text for line in self._running.log())]) if ended else ""
