"""The extension API server behind an API server, asked at its own port."""

from __future__ import annotations

import ssl
from typing import Any

from ..base.errors import EnvironmentProblem
from .client import Client
from .raw_client import Ask, Headers, RawAnswer, RawClient

_REGISTERED = "/apis/apiregistration.k8s.io/v1/apiservices"


class ExtensionServer:
    """Finds the server of an API group by its APIService; each question looks anew,
    for it may have moved.
    """

    def __init__(self, client: Client, group: str) -> None:
        self._client = client
        self._group = group

    def __call__(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request, with no credentials but those in its headers.

        Raises EnvironmentProblem where there is no such server.
        """
        return self._find_server()(method, target, headers, body)

    def _find_server(self) -> Ask:
        registered = self._client.call("GET", _REGISTERED)["items"]
        # Any version: the server of a group is one for all of them.
        spec: Any = next(
            (service["spec"] for service in registered if service["spec"].get("group") == self._group), {}
        )
        service = spec.get("service") or {}
        host = self._host(service) if service else ""
        if not host:
            raise EnvironmentProblem(
                f"no server of {self._group} is registered that this machine can reach directly"
            )
        return RawClient(f"https://{host}:{service['port']}", _context_without_verification())

    def _host(self, service: Any) -> str:
        """Return where a Service outside of the cluster leads; empty for one inside."""
        path = f"/api/v1/namespaces/{service['namespace']}/services/{service['name']}"
        # An ExternalName leads out of the cluster; a ClusterIP is an address inside, which this
        # machine does not reach.
        return str(self._client.call("GET", path)["spec"].get("externalName", ""))


def _context_without_verification() -> ssl.SSLContext:
    """Return the client side of TLS as the API server has it where
    an APIService says `insecureSkipTLSVerify`.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
