"""The visibility server as a part of the control plane: in every replica, over the queues that its scheduler
pops from (VIS-001…004).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from ...api.kinds import FLOW_SCHEMAS, LOCAL_QUEUES, PRIORITY_LEVELS
from ...api.resource import Key
from ...runtime.metrics import Registry
from ...runtime.part import Runnable, Runtime, Server
from ...runtime.serving.exchange import Handler
from ..queueing.view import PendingView, Views
from .delegated.authentication import DelegatedAuthenticator, ProxyOfThisProcess
from .delegated.authorities import Authorities
from .delegated.authorization import DelegatedAuthorizer
from .delegated.impersonation import Impersonation
from .delegated.reviews import Reviews
from .delegated.tokens import Tokens
from .flow_control.control import SeatControl
from .server import Guards, VisibilitySite, visibility
from .surface import ApiSurface

Publish = Callable[[Handler, Authorities], Server]
"""Returns what serves a handler; a server that speaks TLS asks for certificates of the authorities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityPart:
    """Answers what the views show; `publish` decides where."""

    views: Views
    surface: ApiSurface
    publish: Publish
    inside: bool = False
    """Whether the API server of its own process passes requests on to it, without a connection."""

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow what decides about requests, and serve."""
        authorities = Authorities(runtime.client, runtime.clock, runtime.log, random=runtime.random)
        metrics = Registry()
        guards = self._guards(runtime, authorities, metrics)
        handler = visibility(self.views.pending, guards, self._site(runtime, metrics))
        runtime.servers.append(self.publish(handler, authorities))
        return ()

    def _guards(self, runtime: Runtime, authorities: Authorities, metrics: Registry) -> Guards:
        # Pauses of retries are drawn apart: a request must not change what the scheduler draws.
        reviews = Reviews(runtime.client, runtime.clock, random=Random(0))  # noqa: S311 jitter, no secret
        authorizer = DelegatedAuthorizer(reviews, runtime.clock)
        delegated = DelegatedAuthenticator(authorities.trust, Tokens(reviews, runtime.clock))
        return Guards(
            authenticator=ProxyOfThisProcess(delegated) if self.inside else delegated,
            impersonator=Impersonation(authorizer),
            authorizer=authorizer,
            flow_control=SeatControl(
                runtime.informer(FLOW_SCHEMAS),
                runtime.informer(PRIORITY_LEVELS),
                runtime.clock,
                runtime.log,
                metrics=metrics,
            ),
        )

    def _site(self, runtime: Runtime, metrics: Registry) -> VisibilitySite:
        informers = runtime.informers

        def in_sync() -> bool:
            return all(informer.synced.is_set() for informer in informers.values())

        return VisibilitySite(
            surface=self.surface,
            current_time=runtime.clock.now,
            checks={"informer-sync": in_sync},
            metrics=metrics,
            admitted=self._admitted_view(runtime),
        )

    def _admitted_view(self, runtime: Runtime) -> PendingView | None:
        """Return the view of what holds quota, None where it is not wanted (VIS-901)."""
        if self.views.admitted is None:
            return None
        local_queues = runtime.informer(LOCAL_QUEUES).store

        def exists(key: str) -> bool:
            return local_queues.get(Key(*key.split("/", 1))) is not None

        return self.views.admitted(exists)
