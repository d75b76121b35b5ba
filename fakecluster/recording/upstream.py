"""The cluster behind a proxy or a front, as a kubeconfig names it."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct


class UpstreamError(ValueError):
    """A kubeconfig that cannot be used; the text says why."""


class Upstream(Struct, frozen=True, kw_only=True):
    """Where a cluster is, whom to believe there, and who we are."""

    url: str
    context: ssl.SSLContext | None = None
    token: Callable[[], str] = str
    """Returns the Authorization of who we are, made anew where it has expired."""
    name: str = ""
    """The name that its certificate is good for, where that is not its host."""

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def origin(self) -> str:
        """What a page of its own would be known by: what we let through is taken for one."""
        address = urlsplit(self.url)
        return f"{address.scheme}://{address.netloc}"

    @property
    def identity(self) -> Mapping[str, str]:
        """The headers by which the cluster knows us."""
        token = self.token()
        return {"Authorization": token} if token else {}

    @classmethod
    def of_kubeconfig(cls, path: Path, context: str = "") -> Self:
        """Read a context of a kubeconfig, the current one when none is named.

        Raises OSError, UpstreamError.
        """
        from kubernetes import client, config
        from kubernetes.config import ConfigException

        # The loader of the client library would report a missing file as an invalid one.
        path.read_bytes()
        configuration = client.Configuration()
        try:
            config.load_kube_config(str(path), context or None, client_configuration=configuration)
        except (ConfigException, ValueError, TypeError) as error:
            raise UpstreamError(f"{path} is no usable kubeconfig: {error}") from error
        if configuration.proxy:
            raise UpstreamError(
                f"{path} reaches {configuration.host} through {configuration.proxy}: expected a server that is reached without proxy-url"
            )
        return cls(
            url=configuration.host.rstrip("/"),
            context=_context(configuration) if configuration.host.startswith("https") else None,
            token=lambda: configuration.get_api_key_with_prefix("BearerToken", "authorization") or "",
            name=configuration.tls_server_name or "",
        )


def _context(configuration: object) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=getattr(configuration, "ssl_ca_cert", None))
    if not getattr(configuration, "verify_ssl", True):
        # In this order: ssl refuses to verify no certificate while it checks host names.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certificate := getattr(configuration, "cert_file", None):
        context.load_cert_chain(certificate, getattr(configuration, "key_file", None))
    return context
