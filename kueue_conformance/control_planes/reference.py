"""The reference Kueue, on the cluster's own loop and clock: the only importer of reference_impl."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any, TextIO

from ..backends import Cluster, Inside
from ..backends.kubeconfig import BackgroundLoop
from ..dialect import Dialect
from ..errors import EnvironmentProblem
from ..proof import KUEUE, Proof, refused
from ..wire.client import ApiError, Client, Transport
from . import METRICS, Webhooks

INSIDE = "https://webhooks.kueue.invalid"


class Reference:
    """Runs the reference's manager in this process."""

    name = "reference"
    features: frozenset[str] = frozenset({METRICS})
    lacks: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._served = Served()
        self._asking: list[Transport] = []
        """Of clusters whose API servers call the webhooks."""

    def install(self, cluster: Cluster, dialect: Dialect, *, webhooks: Webhooks = "none") -> None:
        """Create Kueue's kinds as the dialect knows them, and wait until they are served."""
        endpoint = self._endpoint(dialect, webhooks, cluster.outside)
        if webhooks == "served":
            self._asking.append(cluster.transport)
        cluster.run(lambda _: _install(cluster.kubeconfig, dialect.name, endpoint))

    def webhooks(self, dialect: Dialect) -> Inside:
        """Return the functions that answer in place of a server; they know no cluster, so that all share them."""
        from reference_impl.webhooks.answers import answers, converters
        from reference_impl.webhooks.reviews import Reviewer

        reviews = {
            f"{INSIDE}{path}": _here(answer) for path, answer in answers(Reviewer(dialect.name)).items()
        }
        return Inside(reviews, converters(dialect.name))

    def _endpoint(self, dialect: Dialect, webhooks: Webhooks, host: str) -> Any:
        if webhooks == "none":
            return None
        from reference_impl.webhooks.registration import Endpoint

        return Endpoint(url=INSIDE) if webhooks == "inside" else self._served.endpoint(dialect.name, host)

    def start(self, cluster: Cluster, dialect: Dialect) -> InProcess:
        """Start the manager on the cluster's loop; it reconciles when this returns."""
        from reference_impl.config import Config
        from reference_impl.manager import Manager
        from reference_impl.runtime import kubeconfig
        from reference_impl.runtime.clock import WallClock

        connection = kubeconfig.load(Path(cluster.kubeconfig))
        config = Config(connection=connection, dialect=dialect.name)
        with ExitStack() as held:
            log = held.enter_context(_opened(cluster.log))

            async def started(clock: Any) -> Manager:
                manager = Manager(config, clock or WallClock(), log_to=log)
                await manager.start()
                return manager

            return InProcess(cluster, cluster.run(started), held.pop_all())

    def close(self) -> None:
        """Stop the webhooks; a cluster that outlives this process asks nobody in their place."""
        while self._asking:
            _forget_webhooks(self._asking.pop())
        self._served.close()

    def version(self) -> str:
        """Return the version of the reference."""
        from reference_impl import __version__

        return str(__version__)

    def release(self) -> str:
        """Return nothing: it is the release that the dialect names."""
        return ""

    def proof(self, cluster: Cluster) -> Proof:
        """Raise Unproven: it only plays Kueue."""
        del cluster
        raise refused(f"control plane {self.name}", KUEUE)


def _opened(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """Begin a log anew, none without a path. Raises EnvironmentProblem where that cannot be."""
    if path is None:
        return nullcontext()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8")
    except OSError as problem:
        raise EnvironmentProblem(
            f"the log of the reference, {str(path)!r}, cannot be written: {problem.strerror}",
            hint="name another folder with --report-dir",
        ) from problem


def _here(answer: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    """Return the function as one that answers on the cluster's loop: it waits for nobody."""

    async def answered(review: Any) -> Any:
        return answer(review)

    return answered


def _forget_webhooks(transport: Transport) -> None:
    from reference_impl.webhooks.registration import MUTATING_NAME, VALIDATING_NAME

    client = Client(transport, agent="kueue-conformance")
    for kind, name in (("mutating", MUTATING_NAME), ("validating", VALIDATING_NAME)):
        with suppress(ApiError, EnvironmentProblem):  # they may be gone, or the cluster
            client.call("DELETE", f"/apis/admissionregistration.k8s.io/v1/{kind}webhookconfigurations/{name}")


class Served:
    """The webhooks of each dialect behind HTTPS at an address of this machine, started when first asked for, on a loop of their own."""

    def __init__(self) -> None:
        self._loop = BackgroundLoop()
        self._servers: dict[tuple[str, str], Any] = {}

    def endpoint(self, dialect: str, host: str) -> Any:
        """Return where those of a dialect answer."""
        if (dialect, host) not in self._servers:
            from reference_impl.webhooks.reviews import Reviewer
            from reference_impl.webhooks.server import WebhookServer

            server = WebhookServer(Reviewer(dialect), host=host)
            self._loop.run(server.start())
            self._servers[dialect, host] = server
        return self._servers[dialect, host].endpoint

    def close(self) -> None:
        """Stop them."""
        for server in self._servers.values():
            self._loop.run(server.stop())
        self._servers.clear()
        self._loop.close()


def bundle(dialect: Dialect) -> list[Any]:
    """Return everything that a cluster needs to run the reference inside."""
    from reference_impl.deployment.bundle import bundle
    from reference_impl.deployment.site import Site

    return list(bundle(Site(dialect=dialect.name)))


def definitions(dialect: Dialect) -> list[Any]:
    """Return Kueue's definitions and webhook configurations of a dialect, called behind the Service of a deployed Kueue."""
    return [one for one in bundle(dialect) if one["kind"] == "CustomResourceDefinition" or "webhooks" in one]


def image() -> str:
    """Return the name of the reference's image, as `make image` makes it."""
    from reference_impl.deployment.site import IMAGE

    return IMAGE


async def _install(path: str, dialect: str, webhooks: Any) -> None:
    """Install in real time: nothing is there yet that could make virtual time pass."""
    from reference_impl.install import install
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client
    from reference_impl.runtime.clock import WallClock
    from reference_impl.runtime.log import Logger

    client, clock = Client(kubeconfig.load(Path(path)), user_agent="kueue-conformance"), WallClock()
    try:
        await install(
            client, clock, Logger(clock=clock, level="warning"), dialect=dialect, namespace="kueue-system",
            webhooks=webhooks,
        )  # fmt: skip
    finally:
        await client.close()


class InProcess:
    """A manager at work on a cluster's loop."""

    def __init__(self, cluster: Cluster, manager: Any, held: ExitStack) -> None:
        self._cluster = cluster
        self._manager = manager
        self._held = held

    def exposition(self) -> str:
        """Return what its `/metrics` would answer."""
        return str(self._manager.metrics.exposition())

    def ended(self) -> str:
        """Tell which part of it has died, and of what."""
        return str(self._manager.dead)

    def stop(self) -> None:
        """End its tasks, close its connections and its log."""
        with self._held:
            self._cluster.run(lambda _: self._manager.stop())
