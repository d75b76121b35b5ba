"""The visibility part with an HTTPS server of its own, and where an API server
finds that (VIS-003, VIS-701).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...api.resource import Json
from ...runtime.serving.certificate_folder import CertificateFolder
from ...runtime.serving.exchange import Handler
from ..queueing.view import Views
from .delegated.authorities import Authorities
from .listening import VisibilityServer
from .part import VisibilityPart
from .registration import ServiceReference, api_services, outside_service, reachable_host
from .surface import ApiSurface, Release


@dataclass(slots=True, kw_only=True)
class ServedVisibility:
    """Makes the part for one manager; its server is known once the part is assembled."""

    release: Release
    address: tuple[str, int]
    namespace: str
    verified: bool
    """Whether API servers verify its certificate; those of the release do not (VIS-803)."""
    folder: CertificateFolder | None = None
    """Where its certificate is; without, it has one of its own for as long as it lives."""
    _server: VisibilityServer = field(init=False)

    def __call__(self, views: Views) -> VisibilityPart:
        """Return the part over views of the queues."""
        return VisibilityPart(views=views, surface=self._surface, publish=self._publish)

    @property
    def url(self) -> str:
        """Return where it answers."""
        host = self.address[0] or "127.0.0.1"
        return f"https://{f'[{host}]' if ':' in host else host}:{self._server.port}"

    def registration(self) -> tuple[Json, ...]:
        """Return the Service and the APIServices by which an API server finds it: at its address, or on the
        machine that both run on.
        """
        authority = self._server.identity.authority if self.verified else b""
        where = ServiceReference(namespace=self.namespace, port=self._server.port, authority=authority)
        return outside_service(self.namespace, reachable_host(self.address[0])), *api_services(
            self._surface.versions, where
        )

    @property
    def _surface(self) -> ApiSurface:
        return ApiSurface.of(self.release)

    def _publish(self, handler: Handler, authorities: Authorities) -> VisibilityServer:
        host, port = self.address
        self._server = VisibilityServer(
            handler, authorities, host=host, port=port, namespace=self.namespace, folder=self.folder
        )
        return self._server
