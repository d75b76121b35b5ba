"""A real API server and etcd, started from their programs
for one run and shared by its workers (apiserver.md §4.5).
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from ..base.files import scratch
from ..programs.proof import KUBE_APISERVER, Proof, of_file, refuse_imitation
from ..scenarios.dialect import Dialect
from ..wire.client import Client
from ..wire.endpoint import Endpoint, tokens
from ..wire.transport import connect
from .assets import Assets, find
from .backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from .cluster import lacking
from .features import BARE_API_SERVER, CONTROLLERS, FRONT, WEBHOOKS
from .kubeconfig import KubeconfigBackend, LiveCluster
from .programs import Programs


class ProgramsOnDemand:
    """Programs that start when their folder is first asked for.

    folder: that of programs which another process has started; it is only read.
    """

    def __init__(self, assets: Assets, folder: Path | None = None, *, controllers: bool = False) -> None:
        self._assets = assets
        self._controllers = controllers
        self._scratch: TemporaryDirectory[str] | None = None
        self._programs: Programs | None = None
        self.folder = folder

    def running(self) -> Path:
        """Start the programs if needed and return their folder. Raises EnvironmentProblem."""
        if self.folder is None:
            self._scratch = scratch.folder("envtest-")
            programs = Programs(self._assets, Path(self._scratch.name), controllers=self._controllers)
            try:
                programs.start()
            # BaseException, since Ctrl-C while the programs start must leave no folder either.
            except BaseException:
                self._scratch.cleanup()
                raise
            self._programs, self.folder = programs, Path(self._scratch.name)
        return self.folder

    def close(self) -> None:
        """Stop the programs that were started here."""
        if self._programs is not None:
            self._programs.stop()
        if self._scratch is not None:
            self._scratch.cleanup()


class EnvtestBackend:
    """Starts kube-apiserver and etcd with the first cluster; otherwise like a cluster of backend kubeconfig.

    A worker of a run is given the folder of the programs that the leading process started; programs with
    controllers are its own.
    """

    name = "envtest"
    shared = True

    def __init__(
        self, joined: str = "", *, allow_imitation: bool = False, delay_seed: int | None = None
    ) -> None:
        self._joined = bool(joined)
        self._delay_seed = delay_seed
        # A worker only reads the running programs' folder; the leading process has asked whether
        # imitations are allowed.
        self._assets = find(allow_imitation=allow_imitation or self._joined)
        self._without_controllers = ProgramsOnDemand(self._assets, Path(joined) if joined else None)
        # Not joined: kube-controller-manager deletes and writes at will, so cases of different
        # workers must not share one.
        self._with_controllers = ProgramsOnDemand(self._assets, controllers=True)
        self._cluster: KubeconfigBackend | None = None

    @property
    def features(self) -> frozenset[str]:
        """The features of its clusters; one needs kube-controller-manager."""
        controllers = {CONTROLLERS} if self._assets.controller_manager else set()
        return BARE_API_SERVER | FRONT | {WEBHOOKS} | controllers

    @property
    def handle(self) -> str:
        """The folder of the running programs."""
        return str(self._without_controllers.folder or "")

    @property
    def program(self) -> str:
        """The programs' name for the report."""
        return "" if self._joined else self._assets.imitation or str(self._assets.api_server)

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> LiveCluster:
        """Return the cluster. Raises EnvironmentProblem when the programs do not start."""
        if self._cluster is None:
            # From here the server is a cluster like any other; its isolation is by names too.
            self._cluster = KubeconfigBackend(str(self.running() / "kubeconfig"), delay_seed=self._delay_seed)
        return self._cluster.lend(dialect, prepare, functions)

    def running(self) -> Path:
        """Start the programs if needed and return their folder."""
        return self._without_controllers.running()

    def api_server(self, *, controllers: bool = False) -> Endpoint:
        """Return the server; its token file has the users."""
        if controllers and CONTROLLERS not in self.features:
            raise lacking(CONTROLLERS)
        folder = (self._with_controllers if controllers else self._without_controllers).running()
        kubeconfig = yaml.safe_load((folder / "kubeconfig").read_text("utf-8"))
        address = kubeconfig["clusters"][0]["cluster"]["server"]
        return Endpoint.by_token(address, tokens(folder / "tokens.csv"), folder / "ca.crt")

    def proof(self) -> Proof:
        """Return the proof from the executable file, which has the version. Raises Unproven."""
        # A worker has not started the executable itself, so it cannot say which file is running.
        if self._joined:
            raise refuse_imitation("a server that another process started", KUBE_APISERVER)
        client = Client(connect(str(self.running() / "kubeconfig")), agent="kueue-conformance")
        version = str(client.call("GET", "/version")["gitVersion"])
        return of_file(KUBE_APISERVER, self._assets.api_server.resolve(), version)

    def save_failure_logs(self) -> None:
        """Save nothing: EnvironmentProblem shows the programs' logs when they do not start."""

    def close(self) -> None:
        """End what was started here."""
        if self._cluster is not None:
            # The watches go before their server: they would try again without end.
            self._cluster.close()
        self._with_controllers.close()
        self._without_controllers.close()
