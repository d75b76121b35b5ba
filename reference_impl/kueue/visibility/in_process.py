"""The visibility part without a socket: the API server in the same process calls its handler."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...api.resource import Json
from ...runtime.serving.exchange import Handler
from ..queueing.view import Views
from .delegated.authorities import Authorities
from .part import VisibilityPart
from .registration import ServiceReference, api_services, outside_service
from .surface import ApiSurface, Release


@dataclass(slots=True, kw_only=True)
class InProcessVisibility:
    """Makes the part for one manager; its handler is known once the part is assembled."""

    release: Release
    namespace: str
    name: str = "visibility"
    handler: Handler = field(init=False)

    def __call__(self, views: Views) -> VisibilityPart:
        """Return the part over views of the queues."""
        return VisibilityPart(views=views, surface=self._surface, publish=self._publish, inside=True)

    def registration(self) -> tuple[Json, ...]:
        """Return the Service and the APIServices whose requests the handler answers."""
        where = ServiceReference(namespace=self.namespace)
        return outside_service(self.namespace), *api_services(self._surface.versions, where)

    async def start(self) -> None:
        """Do nothing: the program that runs both registers the handler with the API server."""

    async def stop(self) -> None:
        """Do nothing."""

    @property
    def _surface(self) -> ApiSurface:
        return ApiSurface.of(self.release)

    def _publish(self, handler: Handler, authorities: Authorities) -> InProcessVisibility:
        del authorities
        self.handler = handler
        return self
