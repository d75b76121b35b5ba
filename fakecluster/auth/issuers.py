"""Which authority signed a client certificate: that of clients,
whose names are users, or that of front proxies (FK-390).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

CERTIFICATES = 1024
"""Client certificates whose issuers are remembered."""


class Issuers(Struct, frozen=True):
    """The authorities of a server, PEM.

    Without `proxies` nothing is a front proxy; without `names` each of its certificates is one.
    """

    clients: bytes = b""
    proxies: bytes = b""
    names: tuple[str, ...] = ()

    def is_client(self, certificate: bytes) -> bool:
        """Whether the name in a certificate, DER, is a user; its chain is verified already."""
        # Where one authority is all there is, the handshake has asked it, with whatever stands between.
        return not self.proxies or _is_issued_by(certificate, self.clients)

    def is_proxy(self, certificate: bytes, name: str) -> bool:
        """Whether a certificate, DER, with this common name is that of a front proxy."""
        allowed = not self.names or name in self.names
        return bool(self.proxies) and allowed and _is_issued_by(certificate, self.proxies)


@lru_cache(CERTIFICATES)
def _is_issued_by(certificate: bytes, authorities: bytes) -> bool:
    """Whether one of the authorities signed a certificate itself."""
    from cryptography import x509  # costs more than most requests, which show no certificate

    client = x509.load_der_x509_certificate(certificate)
    issuers = x509.load_pem_x509_certificates(authorities) if authorities.strip() else ()
    return any(_verifies(client, issuer) for issuer in issuers)


def _verifies(certificate: Certificate, authority: Certificate) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        certificate.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True
