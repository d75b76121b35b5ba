"""A real API server and etcd, started from their programs for one run and shared by its workers (apiserver.md
§4.5).
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from ..dialect import Dialect
from ..files import scratch
from ..programs.proof import KUBE_APISERVER, Proof, of_file, refused
from ..wire.client import Client
from ..wire.endpoint import Endpoint, tokens
from ..wire.transport import connect
from .assets import find
from .backend import NO_FUNCTIONS, InProcessFunctions, Prepare
from .features import BARE_API_SERVER, FRONT, WEBHOOKS
from .kubeconfig import KubeconfigBackend, LiveCluster
from .programs import Programs


class EnvtestBackend:
    """Starts kube-apiserver and etcd with the first cluster; otherwise like a cluster of backend kubeconfig.

    A worker of a run is given the folder of the programs that the leading process started.
    """

    name = "envtest"
    features = frozenset({WEBHOOKS}) | BARE_API_SERVER | FRONT
    shared = True

    def __init__(self, joined: str = "", *, allow_imitation: bool = False) -> None:
        self._folder = Path(joined) if joined else None
        self._assets = None if joined else find(allow_imitation=allow_imitation)
        self._made: TemporaryDirectory[str] | None = None
        self._programs: Programs | None = None
        self._cluster: KubeconfigBackend | None = None

    @property
    def handle(self) -> str:
        """The folder of the running programs."""
        return str(self._folder or "")

    @property
    def program(self) -> str:
        """The programs' name for the report."""
        return (self._assets.imitation or str(self._assets.api_server)) if self._assets else ""

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> LiveCluster:
        """Return the cluster. Raises EnvironmentProblem when the programs do not start."""
        if self._cluster is None:
            self._cluster = KubeconfigBackend(str(self.running() / "kubeconfig"))
        return self._cluster.lend(dialect, prepare, functions)

    def running(self) -> Path:
        """Start the programs if needed and return their folder."""
        if self._folder is None:
            assert self._assets is not None
            self._made = scratch.folder("envtest-")
            programs = Programs(self._assets, Path(self._made.name))
            try:
                programs.start()
            except BaseException:
                self._made.cleanup()
                raise
            self._programs, self._folder = programs, Path(self._made.name)
        return self._folder

    def api_server(self) -> Endpoint:
        """Return the server; its token file has the users."""
        folder = self.running()
        found = yaml.safe_load((folder / "kubeconfig").read_text("utf-8"))
        return Endpoint.by_token(
            found["clusters"][0]["cluster"]["server"], tokens(folder / "tokens.csv"), folder / "ca.crt"
        )

    def proof(self) -> Proof:
        """Return the proof from the executable file, which has the version. Raises Unproven."""
        if self._assets is None:
            raise refused("a server that another process started", KUBE_APISERVER)
        client = Client(connect(str(self.running() / "kubeconfig")), agent="kueue-conformance")
        said = str(client.call("GET", "/version")["gitVersion"])
        return of_file(KUBE_APISERVER, self._assets.api_server.resolve(), said)

    def failed(self) -> None:
        """Save nothing: EnvironmentProblem shows the programs' logs when they do not start."""

    def close(self) -> None:
        """End what was started here."""
        if self._cluster is not None:
            self._cluster.close()
        if self._programs is not None:
            self._programs.stop()
        if self._made is not None:
            self._made.cleanup()
