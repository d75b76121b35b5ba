"""Certificates from files, made elsewhere: what kube-apiserver's flags name (apiserver.md §2.8, FK-390)."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from msgspec import Struct

from .certificates import KeyPair, names_of_certificate, serving
from .issuers import Issuers


class StaticCertificates(Struct, frozen=True):
    """A server's certificate, and the authority whose clients it believes; it has no key to sign with."""

    server_context: ssl.SSLContext
    pem: bytes
    names: tuple[str, ...] = ()
    issuers: Issuers = Issuers()
    front_proxy: KeyPair | None = None
    """What it shows where it passes requests on; None: nothing."""

    @classmethod
    def read(
        cls,
        *,
        certificate: Path,
        key: Path,
        client_ca: Path | None,
        proxy_ca: Path | None = None,
        proxy_names: tuple[str, ...] = (),
        front_proxy: tuple[Path, Path] | None = None,
    ) -> Self:
        """Read PEM files; `proxy_ca` signs front proxies, all of them or those with a name of `proxy_names`.

        `front_proxy` are certificate and key that this server shows to extension servers. Raises OSError for
        a file that cannot be read, ValueError for one that is no PEM.
        """
        # Read first: the standard library does not say which of its files was missing.
        for file in (certificate, key):
            file.read_bytes()
        clients, proxies = (file.read_bytes() if file else b"" for file in (client_ca, proxy_ca))
        shown = KeyPair(*(file.read_bytes() for file in front_proxy)) if front_proxy else None
        try:
            return cls(
                serving(certificate, key, b"\n".join(filter(None, (clients, proxies)))),
                clients,
                names_of_certificate(certificate.read_bytes()),
                Issuers(clients, proxies, proxy_names),
                shown,
            )
        except (ssl.SSLError, ValueError) as error:
            files = ", ".join(str(file) for file in (certificate, key, client_ca, proxy_ca) if file)
            raise ValueError(
                f"{files}: expected a certificate, its key and an authority in PEM: {error}"
            ) from error

    def client(self, user: str, groups: Iterable[str]) -> KeyPair | None:
        """Return no certificate: the authority's key is not here."""
        del user, groups
        return None
