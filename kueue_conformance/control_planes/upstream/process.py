"""`upstream:COMMAND`: a manager is started as a process beside
an API server of this machine, and ended with the run.

The command is run with `--config FILE --kubeconfig FILE`. Definitions and webhooks come from the manifests
that are named, else they are the reference's.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import yaml

from ...backends.backend import NO_FUNCTIONS, InProcessFunctions
from ...backends.cluster import Cluster
from ...backends.features import WEBHOOKS
from ...base.errors import EnvironmentProblem
from ...base.files import scratch
from ...base.json_types import Json
from ...programs.proof import KUEUE, Proof, of_file
from ...scenarios.capability import PROVISIONING_REQUESTS, UPGRADES
from ...scenarios.dialect import Dialect
from ...scenarios.feature_gates import NO_GATES
from ...subject.log import SHOWN
from ...subject.manifests import read_manifests
from ...subject.process import RunningProcess, launch
from ...wire import kinds
from ...wire.client import Client
from .. import DEFAULT_SERVING, DIRECT, VISIBILITY, ServedApis
from ..reference import definitions
from . import feature_gates, readiness, release, visibility
from .configuration import Ports, configuration, features_of
from .mounted_secret import MountedSecret
from .out_of_cluster import SECRET, namespace_of, objects_for_manager
from .request_definitions import install_request_definitions
from .sources import KueueSources

MANAGER = "kueue-conformance"
_STOP_SECONDS = 10.0


class ManagerProcess:
    """Installs Kueue's objects, and starts the manager as a process."""

    name = "upstream"
    features: frozenset[str]
    lacks: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()

    def __init__(self, sources: KueueSources) -> None:
        self._command = sources.command
        if shutil.which(self._command[0]) is None:
            raise EnvironmentProblem(
                f"the manager cannot be started: there is no program {self._command[0]!r}",
                hint="check the command after upstream: and that the file may be executed",
            )
        self._manifests = [manifest for file in sources.manifests for manifest in read_manifests(file)]
        shown = {VISIBILITY, DIRECT} if visibility.can_be_served(self._manifests) else set()
        self.features = frozenset({WEBHOOKS, PROVISIONING_REQUESTS, UPGRADES, *shown}) | features_of(
            self._manifests
        )
        self._ports = Ports.fresh()
        self._manager: Manager | None = None
        self._installed: tuple[Client, Sequence[Json]] | None = None

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Create Kueue's kinds and webhooks for this machine.

        Raises EnvironmentProblem where there is a Kueue already.
        """
        if self._installed is None and not readiness.missing_kinds(self._client(cluster)):
            raise EnvironmentProblem(
                "the cluster has a Kueue already, and with a second manager beside it neither can be judged",
                hint="use --control-plane upstream for the existing one",
            )
        self._install_by(kinds.apply, cluster, dialect, serving)

    def replace(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install Kueue's kinds and webhooks over those of a Kueue that has been stopped."""
        self._install_by(kinds.replace, cluster, dialect, serving)

    def _install_by(
        self, write: Callable[..., None], cluster: Cluster, dialect: Dialect, serving: ServedApis
    ) -> None:
        client = self._client(cluster)
        self._manifests = self._manifests or definitions(dialect)
        objects = self._objects(cluster, serving)
        self._installed = client, objects
        write(client, objects, manager=MANAGER)
        install_request_definitions(client)
        readiness.until(
            "Kueue's kinds are not served",
            lambda: readiness.missing_kinds(client),
            hint="look at the manifests",
        )

    def start(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> Manager:
        """Start the manager; the webhooks answer when this returns.

        Raises EnvironmentProblem with the end of its log.
        """
        manager = Manager(self._client(cluster), dialect.gates)
        try:
            manager.start(self._command, cluster, self._manifests, self._ports, serving)
        except BaseException:
            # Webhooks that fail closed would block every write of a cluster that outlives the run.
            self.uninstall()
            manager.stop()
            raise
        self._manager = manager
        return manager

    def _client(self, cluster: Cluster) -> Client:
        return Client(cluster.transport, agent=MANAGER, run=cluster.mark)

    def _objects(self, cluster: Cluster, serving: ServedApis) -> list[Json]:
        namespace, address = namespace_of(self._manifests), cluster.host_address
        objects = list(objects_for_manager(self._manifests, namespace, address, self._ports.webhook))
        if serving.visibility == "served":
            objects += visibility.objects_for_visibility(self._manifests, address, self._ports.visibility)
        return objects

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return none: the manager serves its webhooks."""
        del dialect, serving
        return NO_FUNCTIONS

    def uninstall(self) -> None:
        """Delete the objects that were installed for the manager."""
        if self._installed is not None:
            client, objects = self._installed
            self._installed = None
            kinds.remove(client, objects)

    def close(self) -> None:
        """Do nothing: the running manager is stopped by its `stop`."""

    def version(self) -> str:
        """Return the line that the manager logged when it started."""
        return self.release() or "not observed"

    def release(self) -> str:
        """Return the version that the manager logged when it started."""
        return self._manager.release() if self._manager else ""

    def feature_gates(self) -> Mapping[str, bool]:
        """Return those that the manager logged when it started, else those of its Configuration."""
        return self._manager.feature_gates() if self._manager else NO_GATES

    def proof(self, cluster: Cluster) -> Proof:
        """Return the proof from the executable file. Raises Unproven."""
        del cluster
        program = shutil.which(self._command[0])
        assert program is not None, "it was there when it was named"
        return of_file(KUEUE, Path(program).resolve(), self.release())


class Manager:
    """A manager that runs as a process."""

    def __init__(self, client: Client, gates: Mapping[str, bool] = NO_GATES) -> None:
        self._client = client
        self._gates = gates
        self._configuration: Mapping[str, Json] = {}
        self._stack = ExitStack()
        self._running: RunningProcess | None = None

    def start(
        self,
        command: Sequence[str],
        cluster: Cluster,
        manifests: Sequence[Json],
        ports: Ports,
        serving: ServedApis,
    ) -> None:
        """Start the manager, mount its certificates, and wait until it answers."""
        folder = Path(self._stack.enter_context(scratch.folder("upstream-")))
        certificates, config = folder / "certificates", folder / "config.yaml"
        visible = serving.visibility == "served"
        self._configuration = configuration(
            manifests,
            ports,
            certificates,
            cluster.host_address,
            visibility=visible,
            jobs=serving.jobs,
            gates=self._gates,
        )
        config.write_text(yaml.safe_dump(self._configuration, sort_keys=False), "utf-8")
        self._stack.enter_context(MountedSecret(self._client, namespace_of(manifests), SECRET, certificates))
        argv = [*command, "--config", str(config), "--kubeconfig", cluster.kubeconfig]
        self._running = launch(argv, folders=(folder,))
        hint = f"it was started as: {shlex.join(argv)}; the API server has to be on this machine as well"
        readiness.until(
            "the manager's webhooks do not answer", self._missing, alive=self.exit_reason, hint=hint
        )
        if visible:
            readiness.until(
                "the manager's visibility server does not answer",
                lambda: visibility.unavailable_version(self._client, manifests),
                alive=self.exit_reason,
                hint=hint,
            )

    def stop(self) -> None:
        """Stop the manager; its kinds, and what users have made of them, stay."""
        with self._stack:
            if self._running is not None:
                self._running.stop(_STOP_SECONDS)

    def release(self) -> str:
        """Return the version that the manager has logged; empty when it has logged none."""
        return release.of_log(line.text for line in self._running.opening()) if self._running else ""

    def feature_gates(self) -> Mapping[str, bool]:
        """Return the feature gates that the manager has logged, else those of its Configuration."""
        opening = self._running.opening() if self._running else ()
        logged = feature_gates.of_log(line.text for line in opening)
        return logged or feature_gates.of_configuration(self._configuration)

    def _missing(self) -> str:
        assert self._running is not None, "it is started before it is waited for"
        return readiness.unavailable_webhook(self._client)

    def exit_reason(self) -> str:
        """Return how the process has ended, with the end of its log; empty while it runs."""
        assert self._running is not None, "it is started before it is waited for"
        ended = self._running.exit_reason()
        return "\n".join([ended, *(line.text for line in self._running.log()[-SHOWN:])]) if ended else ""
