"""Certificates that somebody else made: what a server is told by kube-apiserver's flags (apiserver.md §2.8, FK-390)."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from msgspec import Struct

from .certificates import KeyPair, serving, shown_names


class GivenCertificates(Struct, frozen=True):
    """A server's certificate, and the authority whose clients it believes; it can sign nobody."""

    server_context: ssl.SSLContext
    pem: bytes
    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, *, certificate: Path, key: Path, client_ca: Path | None) -> Self:
        """Read PEM files. Raises OSError for one that cannot be read, ValueError for one that is no PEM."""
        # Read first: the standard library does not say which of its files was missing.
        for file in (certificate, key):
            file.read_bytes()
        authority = client_ca.read_bytes() if client_ca else b""
        try:
            return cls(serving(certificate, key, authority), authority, shown_names(certificate.read_bytes()))
        except (ssl.SSLError, ValueError) as error:
            files = ", ".join(str(file) for file in (certificate, key, client_ca) if file)
            raise ValueError(
                f"{files}: expected a certificate, its key and an authority in PEM: {error}"
            ) from error

    def client(self, user: str, groups: Iterable[str]) -> KeyPair | None:
        """Return no certificate: the authority's key is not here."""
        del user, groups
        return None
