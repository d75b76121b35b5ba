"""The reference's manager on a cluster's event loop, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ...backends.backend import NO_FUNCTIONS, InProcessFunctions
from ...backends.cluster import Cluster, lacking
from ...base.errors import EnvironmentProblem
from ...programs.proof import KUEUE, Proof, refuse_imitation
from ...scenarios.capability import PROVISIONING_REQUESTS, UPGRADES
from ...scenarios.dialect import Dialect
from ...scenarios.feature_gates import NO_GATES
from ...wire.raw_client import Ask, Headers, RawAnswer, RawRequest, Send, SentRequests
from ...wire.transport import Transport
from .. import (
    ALPHA_APIS,
    CONFIGURABLE,
    DEFAULT_SERVING,
    DIRECT,
    INSTALLED,
    METRICS,
    REPLICAS,
    VISIBILITY,
    ServedApis,
    Way,
)
from . import configuration, manifests, visibility, webhooks
from .webhooks import ServedWebhooks

if TYPE_CHECKING:
    from reference_impl.kueue.config import Config
    from reference_impl.runtime.kubeconfig import Connection

ADMINISTRATOR = "admin"
AVAILABLE_SECONDS = 60.0
"""Seconds until an API server finds the visibility server available."""


class ReferenceControlPlane:
    """Runs the reference's manager in this process."""

    name = "reference"
    features: frozenset[str] = (
        frozenset({METRICS, VISIBILITY, DIRECT, PROVISIONING_REQUESTS, REPLICAS, UPGRADES}) | CONFIGURABLE
    )
    lacks: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._served = ServedWebhooks()
        self._asking: list[Transport] = []
        """Transports of the clusters whose API servers call the webhooks."""

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Create Kueue's kinds as the dialect knows them, and wait until they are served."""
        endpoint = self._endpoint(dialect, serving.webhooks, cluster.host_address, serving.configured)
        if serving.webhooks == "served":
            # Webhooks that fail closed would block every write of a cluster that outlives this
            # process.
            self._asking.append(cluster.transport)
        converting: Way = "in-process" if serving.older_versions else "none"
        converter = self._endpoint(dialect, converting, cluster.host_address, serving.configured)
        alpha = ALPHA_APIS in serving.configured
        cluster.run(
            lambda _: manifests.install(
                cluster.kubeconfig, dialect.name, endpoint, converter, alpha_apis=alpha
            )
        )
        if serving.visibility == "in-process":
            self._make_available(cluster, dialect, serving)

    def replace(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install over the definitions and webhooks of a real Kueue that has been stopped."""
        webhooks.detach_services(cluster.transport)
        self.install(cluster, dialect, serving)

    def _make_available(self, cluster: Cluster, dialect: Dialect, serving: ServedApis) -> None:
        """Make the APIService available once: clusters forked from this one know that it is."""
        playing = self.start(cluster, dialect, serving)
        cluster.wait(lambda: visibility.is_available(cluster), AVAILABLE_SECONDS, lambda: False)
        # Forked clusters start a manager of their own; two on one cluster would write against
        # each other.
        playing.stop()

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return the functions for webhooks and conversion;
        they hold no cluster, so that all clusters share them.
        """
        has_extension, reviewed = serving.visibility == "in-process", serving.webhooks == "in-process"
        installed = serving.configured & INSTALLED
        if not (has_extension or reviewed or serving.older_versions):
            return replace(NO_FUNCTIONS, installed=installed)
        reviews = webhooks.reviews(dialect, serving.configured) if reviewed else {}
        converts = reviewed or serving.older_versions
        converters = webhooks.converters(dialect.name) if converts else {}
        return InProcessFunctions(reviews, converters, extension=has_extension, installed=installed)

    def _endpoint(self, dialect: Dialect, serving_mode: Way, host: str, configured: frozenset[str]) -> Any:
        if serving_mode == "none":
            return None
        from reference_impl.kueue.webhooks.registration import WebhookEndpoint

        return (
            WebhookEndpoint(url=webhooks.IN_PROCESS_URL)
            if serving_mode == "in-process"
            else self._served.endpoint(dialect, host, configured)
        )

    def start(
        self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING
    ) -> RunningReference:
        """Start the manager on the cluster's loop; it reconciles when this returns."""
        from reference_impl.kueue.composition import program, serve_visibility
        from reference_impl.kueue.visibility.registration import SERVICE
        from reference_impl.runtime.clock import WallClock
        from reference_impl.runtime.manager import Manager

        served = serving.visibility == "served"
        address = f"{cluster.host_address}:0" if served else ""
        config = _config(cluster, dialect, serving, address)
        asked_here = visibility.in_process(dialect) if serving.visibility == "in-process" else None
        shown = asked_here or serve_visibility(config)
        with ExitStack() as exit_stack:
            log = exit_stack.enter_context(_open_log(cluster.log))
            following = webhooks.look_up(cluster, dialect, serving, config, self._served)
            followers = exit_stack.enter_context(following)

            async def make_manager(clock: Any) -> Manager:
                return Manager(
                    program(config, *followers, visibility=shown), clock or WallClock(), log_to=log
                )

            manager = cluster.run(make_manager)
            # Before the start: a manager that fails half-way has connections to close.
            exit_stack.callback(lambda: cluster.run(lambda _: manager.stop()))
            cluster.run(lambda _: manager.start())
            if asked_here:
                exit_stack.callback(
                    cluster.answer_for(
                        f"{visibility.NAMESPACE}/{SERVICE}", visibility.answering(asked_here.handler)
                    )
                )
            if shown:
                cluster.run(lambda _: manifests.register_objects(cluster.kubeconfig, shown.registration()))
            if asked_here is None:
                # pop_all hands the callbacks on: the `with` closes only what failed before.
                return RunningReference(manager, exit_stack.pop_all())
            direct = visibility.direct(cluster, asked_here.handler)
            sending = visibility.SimultaneousSender(cluster, asked_here.handler)
            exit_stack.callback(sending.close)
            return RunningReference(manager, exit_stack.pop_all(), direct, sending)

    def start_replica(self, cluster: Cluster, dialect: Dialect, serving: ServedApis) -> RunningReference:
        """Start a second manager on the cluster's loop, which waits until it leads; returns at once."""
        from reference_impl.kueue.composition import program
        from reference_impl.runtime.clock import WallClock
        from reference_impl.runtime.manager import Manager

        config = _config(cluster, dialect, serving)

        async def begin(clock: Any) -> tuple[Manager, asyncio.Task[None]]:
            manager = Manager(program(config), clock or WallClock())
            return manager, asyncio.get_running_loop().create_task(manager.start())

        manager, waiting = cluster.run(begin)

        async def end(_clock: Any) -> None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await manager.stop()

        with ExitStack() as exit_stack:
            exit_stack.callback(lambda: cluster.run(end))
            return RunningReference(manager, exit_stack.pop_all())

    def uninstall(self) -> None:
        """Do nothing: the guard of an existing cluster removes what was installed there."""

    def close(self) -> None:
        """Stop the webhooks, and remove them from clusters that outlive this process."""
        while self._asking:
            webhooks.forget(self._asking.pop())
        self._served.close()

    def version(self) -> str:
        """Return the version of the reference."""
        from reference_impl import __version__

        return str(__version__)

    def release(self) -> str:
        """Return "": the dialect decides the release."""
        return ""

    def feature_gates(self) -> Mapping[str, bool]:
        """Return none: the run sets them."""
        return NO_GATES

    def proof(self, cluster: Cluster) -> Proof:
        """Raise Unproven: the reference is not Kueue."""
        del cluster
        raise refuse_imitation(f"control plane {self.name}", KUEUE)


def _config(cluster: Cluster, dialect: Dialect, serving: ServedApis, visibility_address: str = "") -> Config:
    """Return the configuration of a manager on the cluster."""
    from reference_impl.kueue.config import Config

    return Config(
        connection=_connection(cluster),
        dialect=dialect.name,
        # A Lease would be writes that no other scenario asked for.
        leader_election=serving.elects_leader,
        visibility_address=visibility_address,
        parts=_parts(serving),
        **configuration.settings(serving.configured),
        features=configuration.feature_gates(dialect, serving.configured, provisioning=serving.provisioning),
    )


def _parts(serving: ServedApis) -> frozenset[str]:
    """Return the parts that run in a case: the check controller of ProvisioningRequests only where a case
    uses it, since it costs time, and the integration of Jobs unless another one is judged.
    """
    from reference_impl.kueue.config import JOBS, PARTS, PROVISIONING_CHECK

    left_out = {PROVISIONING_CHECK: not serving.provisioning, JOBS: not serving.jobs}
    return frozenset(part for part in PARTS if not left_out.get(part, False))


def _connection(cluster: Cluster) -> Connection:
    """Return the connection of a manager: in-process where
    both share a loop, else from the cluster's kubeconfig.
    """
    from reference_impl.runtime import kubeconfig

    if cluster.dial is None:
        # Without a loop in common there is a socket between the two.
        return kubeconfig.load(Path(cluster.kubeconfig))
    server = cluster.endpoint
    return kubeconfig.Connection(server=server.url, token=server.token(ADMINISTRATOR), dial=cluster.dial)


def _open_log(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """Open a new log file, none without a path. Raises EnvironmentProblem."""
    if path is None:
        return nullcontext()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Anew for each start: the log of an earlier run would be taken for this one's.
        return path.open("w", encoding="utf-8")
    except OSError as problem:
        raise EnvironmentProblem(
            f"the log of the reference, {str(path)!r}, cannot be written: {problem.strerror}",
            hint="name another folder with --report-dir",
        ) from problem


class RunningReference:
    """A running manager on a cluster's event loop."""

    def __init__(
        self, manager: Any, exit_stack: ExitStack, direct: Ask | None = None, sending: Send | None = None
    ) -> None:
        self._manager = manager
        self._held = exit_stack
        self._direct = direct
        self._sending = sending

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to the visibility server directly.

        Raises UsageError where it runs in another process.
        """
        if self._direct is None:
            raise lacking(DIRECT)
        return self._direct(method, target, headers, body)

    def send(self, requests: Sequence[RawRequest]) -> SentRequests:
        """Send several requests to the visibility server at one moment.

        Raises UsageError where it runs in another process.
        """
        if self._sending is None:
            raise lacking(DIRECT)
        return self._sending(requests)

    def exposition(self) -> str:
        """Return the text of its `/metrics`."""
        return str(self._manager.metrics.exposition())

    def exit_reason(self) -> str:
        """Return which part has died, with its exception."""
        return str(self._manager.dead)

    def stop(self) -> None:
        """Stop the servers and tasks, and close the connections and the log."""
        self._held.close()
