"""The reference's webhooks: functions that a cluster of
this process calls, or a server that any cluster calls.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...backends.background import BackgroundLoop
from ...backends.cluster import Cluster
from ...base.errors import EnvironmentProblem
from ...scenarios.dialect import Dialect
from ...wire import kinds
from ...wire.client import ApiError, Client
from ...wire.resource import KUEUE
from ...wire.transport import Transport
from .. import MANAGED_NAMESPACES, ServedApis
from .configuration import MANAGED, feature_gates
from .manifests import AGENT

if TYPE_CHECKING:
    from reference_impl.kueue.config import Config
    from reference_impl.kueue.managed_namespaces import ManagedNamespaces
    from reference_impl.kueue.webhooks.priority_classes import KnownPriorityClasses
    from reference_impl.kueue.webhooks.reviews import Reviewer
    from reference_impl.runtime.part import Part

# .invalid never resolves (RFC 6761): a call that left the process would fail at once.
IN_PROCESS_URL = "https://webhooks.kueue.invalid"
_WITHOUT_CONVERSION = [{"op": "add", "path": "/spec/conversion", "value": {"strategy": "None"}}]


@dataclass(frozen=True, slots=True)
class WebhookLookups:
    """The objects of a cluster that webhooks look up, as parts of its manager that follow them."""

    classes: KnownPriorityClasses
    namespaces: ManagedNamespaces

    @classmethod
    def of(cls, configured: frozenset[str]) -> WebhookLookups:
        """Return those of the configured features; they hold nothing before a manager starts."""
        from reference_impl.kueue.managed_namespaces import ManagedNamespaces
        from reference_impl.kueue.webhooks.priority_classes import KnownPriorityClasses

        selector = MANAGED if MANAGED_NAMESPACES in configured else {}
        return cls(KnownPriorityClasses(), ManagedNamespaces(selector))

    def followers(self, config: Config) -> Sequence[Part]:
        """Return the parts of a manager whose webhooks look something up, none where they do not (KV-19)."""
        from reference_impl.kueue.webhooks.priority_classes import GATE

        needed = ((self.classes, config.gates[GATE]), (self.namespaces, self.namespaces.reads_labels))
        return [follower for follower, is_needed in needed if is_needed]


def reviews(
    dialect: Dialect, configured: frozenset[str] = frozenset(), lookups: WebhookLookups | None = None
) -> Mapping[str, Callable[[Any], Any]]:
    """Return the functions that answer AdmissionReviews, by URL;
    without what they look up they hold no cluster, so that all clusters share them.
    """
    from reference_impl.kueue.webhooks.answers import answers

    reviewer = _reviewer(dialect, configured, lookups or WebhookLookups.of(configured))
    return {f"{IN_PROCESS_URL}{path}": _here(answer) for path, answer in answers(reviewer).items()}


def _reviewer(dialect: Dialect, configured: frozenset[str], lookups: WebhookLookups) -> Reviewer:
    """Return what answers reviews as a dialect with the feature gates of the run and of the configured
    features.
    """
    from reference_impl.kueue.webhooks.defaults import DefaultingSettings
    from reference_impl.kueue.webhooks.reviews import Reviewer

    settings = DefaultingSettings(
        feature_gates(dialect, configured),
        priority_classes=lookups.classes,
        namespaces=lookups.namespaces,
    )
    return Reviewer(dialect.name, settings)


@contextmanager
def look_up(
    cluster: Cluster, dialect: Dialect, serving: ServedApis, config: Config, served: ServedWebhooks
) -> Iterator[Sequence[Part]]:
    """Let webhooks look up objects of a cluster, by the parts of its manager that this gives."""
    if serving.webhooks == "served":
        yield served.lookups(serving.configured).followers(config)
        return
    lookups = WebhookLookups.of(serving.configured)
    followers = lookups.followers(config)
    if serving.webhooks == "none" or not followers:
        yield ()
        return
    with ExitStack() as answered:
        for url, review in reviews(dialect, serving.configured, lookups).items():
            answered.callback(cluster.answer_reviews(url, review))
        yield followers


def converters(dialect: str) -> Mapping[str, Callable[[Any, str], Any]]:
    """Return the functions that convert objects between API versions, by CustomResourceDefinition."""
    from reference_impl.kueue.webhooks.answers import converters

    return converters(dialect)


class ServedWebhooks:
    """The webhooks of each dialect as an HTTPS server of this machine,
    started on first use, on its own event loop.
    """

    def __init__(self) -> None:
        self._loop = BackgroundLoop()
        self._servers: dict[tuple[str, str, frozenset[str]], Any] = {}
        self._lookups: dict[frozenset[str], WebhookLookups] = {}

    def lookups(self, configured: frozenset[str]) -> WebhookLookups:
        """Return what they look up with the configured features: in the cluster whose manager was started
        last.
        """
        if configured not in self._lookups:
            self._lookups[configured] = WebhookLookups.of(configured)
        return self._lookups[configured]

    def endpoint(self, dialect: Dialect, host: str, configured: frozenset[str]) -> Any:
        """Return the endpoint of a dialect's webhooks with the configured features."""
        key = (dialect.name, host, configured)
        if key not in self._servers:
            from reference_impl.kueue.webhooks.server import WebhookServer

            server = WebhookServer(_reviewer(dialect, configured, self.lookups(configured)), host=host)
            self._loop.run(server.start())
            self._servers[key] = server
        return self._servers[key].endpoint

    def close(self) -> None:
        """Stop them."""
        for server in self._servers.values():
            self._loop.run(server.stop())
        self._servers.clear()
        self._loop.close()


def forget(transport: Transport) -> None:
    """Remove the webhooks from a cluster that outlives this process."""
    client = Client(transport, agent=AGENT)
    for path in _configuration_paths():
        with suppress(ApiError, EnvironmentProblem):  # they may be gone, or the cluster
            client.call("DELETE", path)


def detach_services(transport: Transport) -> None:
    """Have the API server call no webhook and no converter by a Service: that of a stopped Kueue.

    A reference that is applied over them would leave their Service beside its own URL, which the API server
    refuses.
    """
    client = Client(transport, agent=AGENT)
    for path in _configuration_paths():
        if any("service" in hook["clientConfig"] for hook in _hooks(client, path)):
            client.call("DELETE", path)
    for definition in client.list("CustomResourceDefinition"):
        if "service" in _converter(definition):
            path = client.resource("CustomResourceDefinition").path(name=definition["metadata"]["name"])
            client.call("PATCH", path, _WITHOUT_CONVERSION, media=kinds.JSON_PATCH)


def _hooks(client: Client, path: str) -> Sequence[Any]:
    try:
        hooks: Sequence[Any] = client.call("GET", path).get("webhooks") or ()
    except ApiError as error:
        if error.code != 404:
            raise
        return ()
    return hooks


def _converter(definition: Any) -> Any:
    """Return how the API server calls the converter of a kind of Kueue; empty where it calls none."""
    spec = definition["spec"]
    webhook = (spec.get("conversion") or {}).get("webhook") if spec["group"] == KUEUE else None
    return (webhook or {}).get("clientConfig") or {}


def _configuration_paths() -> Sequence[str]:
    from reference_impl.kueue.webhooks.registration import MUTATING_NAME, VALIDATING_NAME

    names = (("mutating", MUTATING_NAME), ("validating", VALIDATING_NAME))
    return [
        f"/apis/admissionregistration.k8s.io/v1/{sort}webhookconfigurations/{name}" for sort, name in names
    ]


def _here(answer: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    """Return the function as a coroutine function for the cluster's event loop; it does not block."""

    async def answer_review(review: Any) -> Any:
        return answer(review)

    return answer_review
