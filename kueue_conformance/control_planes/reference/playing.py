"""The reference's manager at work on a cluster's loop, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ...backends import NO_FUNCTIONS, Cluster, InProcessFunctions, lacking
from ...capability import PROVISIONING_REQUESTS
from ...dialect import Dialect
from ...errors import EnvironmentProblem
from ...proof import KUEUE, Proof, refused
from ...wire.client import Transport
from ...wire.raw import Ask, Headers, RawAnswer, RawRequest, Send, Sent
from .. import CONFIGURABLE, DEFAULT_SERVING, DIRECT, METRICS, VISIBILITY, Serving, Way
from . import configured, manifests, provisioning, visibility, webhooks
from .webhooks import ServedWebhooks

if TYPE_CHECKING:
    from reference_impl.runtime.kubeconfig import Connection

ADMINISTRATOR = "admin"
AVAILABLE_SECONDS = 60.0
"""For so long an API server may take to see that the visibility server is there."""


class Reference:
    """Runs the reference's manager in this process."""

    name = "reference"
    features: frozenset[str] = frozenset({METRICS, VISIBILITY, DIRECT, PROVISIONING_REQUESTS}) | CONFIGURABLE
    lacks: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._served = ServedWebhooks()
        self._asking: list[Transport] = []
        """Of clusters whose API servers call the webhooks."""

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> None:
        """Create Kueue's kinds as the dialect knows them, and wait until they are served."""
        endpoint = self._endpoint(dialect, serving.webhooks, cluster.host_address)
        if serving.webhooks == "served":
            self._asking.append(cluster.transport)
        converter = self._endpoint(
            dialect, "in-process" if serving.older_versions else "none", cluster.host_address
        )
        cluster.run(lambda _: manifests.install(cluster.kubeconfig, dialect.name, endpoint, converter))
        if serving.visibility == "in-process":
            self._make_available(cluster, dialect, serving)

    def _make_available(self, cluster: Cluster, dialect: Dialect, serving: Serving) -> None:
        """Let the API server see the visibility server once: clusters that are forked from it know what is served."""
        playing = self.start(cluster, dialect, serving)
        cluster.wait(lambda: visibility.is_available(cluster), AVAILABLE_SECONDS, lambda: False)
        playing.stop()

    def in_process_functions(self, dialect: Dialect, serving: Serving) -> InProcessFunctions:
        """Return the functions that answer in place of a server; they know no cluster, so that all share them."""
        asked, reviewed = serving.visibility == "in-process", serving.webhooks == "in-process"
        if not (asked or reviewed or serving.older_versions):
            return NO_FUNCTIONS
        reviews = webhooks.reviews(dialect.name) if reviewed else {}
        converts = reviewed or serving.older_versions
        return InProcessFunctions(
            reviews, webhooks.converters(dialect.name) if converts else {}, extension=asked
        )

    def _endpoint(self, dialect: Dialect, way: Way, host: str) -> Any:
        if way == "none":
            return None
        from reference_impl.webhooks.registration import Endpoint

        return (
            Endpoint(url=webhooks.IN_PROCESS_URL)
            if way == "in-process"
            else self._served.endpoint(dialect.name, host)
        )

    def start(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> InProcess:
        """Start the manager on the cluster's loop; it reconciles when this returns."""
        from reference_impl.composition import program, served_visibility
        from reference_impl.config import Config
        from reference_impl.runtime.clock import WallClock
        from reference_impl.runtime.manager import Manager
        from reference_impl.visibility.registration import SERVICE

        served = serving.visibility == "served"
        address = f"{cluster.host_address}:0" if served else ""
        config = Config(
            connection=_connection(cluster),
            dialect=dialect.name,
            visibility_address=address,
            **provisioning.settings(wanted=serving.provisioning),
            **configured.settings(serving.configured),
        )
        asked_here = visibility.in_process(dialect) if serving.visibility == "in-process" else None
        shown = asked_here or served_visibility(config)
        with ExitStack() as held:
            log = held.enter_context(_opened(cluster.log))

            async def made(clock: Any) -> Manager:
                return Manager(program(config, visibility=shown), clock or WallClock(), log_to=log)

            manager = cluster.run(made)
            held.callback(lambda: cluster.run(lambda _: manager.stop()))
            cluster.run(lambda _: manager.start())
            if asked_here:
                held.callback(
                    cluster.answer_for(
                        f"{visibility.NAMESPACE}/{SERVICE}", visibility.answering(asked_here.handler)
                    )
                )
            if shown:
                cluster.run(lambda _: manifests.register_objects(cluster.kubeconfig, shown.registration()))
            if asked_here is None:
                return InProcess(manager, held.pop_all())
            direct = visibility.direct(cluster, asked_here.handler)
            sending = visibility.Sending(cluster, asked_here.handler)
            held.callback(sending.close)
            return InProcess(manager, held.pop_all(), direct, sending)

    def close(self) -> None:
        """Stop the webhooks; a cluster that outlives this process asks nobody in their place."""
        while self._asking:
            webhooks.forget(self._asking.pop())
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


def _connection(cluster: Cluster) -> Connection:
    """Return how a manager reaches a cluster: without an address where both share a loop, else as its kubeconfig says."""
    from reference_impl.runtime import kubeconfig

    if cluster.dial is None:
        return kubeconfig.load(Path(cluster.kubeconfig))
    server = cluster.endpoint
    return kubeconfig.Connection(server=server.url, token=server.token(ADMINISTRATOR), dial=cluster.dial)


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


class InProcess:
    """A manager at work on a cluster's loop."""

    def __init__(
        self, manager: Any, held: ExitStack, direct: Ask | None = None, sending: Send | None = None
    ) -> None:
        self._manager = manager
        self._held = held
        self._direct = direct
        self._sending = sending

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to the visibility server itself, past the API server. Raises UsageError where it is not of this process."""
        if self._direct is None:
            raise lacking(DIRECT)
        return self._direct(method, target, headers, body)

    def send(self, requests: Sequence[RawRequest]) -> Sent:
        """Send several requests to it at one moment. Raises UsageError where it is not of this process."""
        if self._sending is None:
            raise lacking(DIRECT)
        return self._sending(requests)

    def exposition(self) -> str:
        """Return what its `/metrics` would answer."""
        return str(self._manager.metrics.exposition())

    def ended(self) -> str:
        """Tell which part of it has died, and of what."""
        return str(self._manager.dead)

    def stop(self) -> None:
        """Answer nothing any more, end its tasks, close its connections and its log."""
        self._held.close()
