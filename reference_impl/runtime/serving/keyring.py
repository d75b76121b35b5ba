"""The certificate that replicas share and the authorities that clients trust: when each is made anew.

A new authority is trusted beside the old one before anything is signed by it: each step is one write, and
between two steps every API server has heard of the first.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509

from ...api.resource import Json
from .certificates import PEM, Identity, KeyPair, ValidityPeriod, new_authority, sign, signing
from .tls import server_context

CERTIFICATE_LASTS: Final = timedelta(days=90)
CERTIFICATE_ENDS: Final = timedelta(days=30)
"""A certificate is renewed when it is valid for less than this."""
AUTHORITY_LASTS: Final = timedelta(days=3650)
CLOCKS_DIFFER: Final = timedelta(hours=1)
FIELDS: Final = {
    "tls.crt": "certificate",
    "tls.key": "key",
    "ca.crt": "authorities",
    "ca.key": "authority_key",
}


class KeyringError(ValueError):
    """The stored Secret holds no keyring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyring:
    """What a server shows; the authorities to trust, the newest first, and the key of the newest; all
    in PEM.
    """

    certificate: bytes
    key: bytes
    authorities: bytes
    authority_key: bytes

    @classmethod
    def read(cls, data: Json) -> Keyring:
        """Read the data of a Secret; raises KeyringError."""
        try:
            ring = cls(**{field: base64.b64decode(data[name]) for name, field in FIELDS.items()})
            _names(ring.leaf())
            signing(ring.authority())
            server_context(ring.identity())
        except KeyError as error:
            raise KeyringError(f"{error.args[0]} is missing") from None
        except (ValueError, TypeError, OSError, x509.ExtensionNotFound) as error:
            raise KeyringError(str(error)) from None
        return ring

    def data(self) -> Json:
        """Return the data of a Secret."""
        return {name: base64.b64encode(getattr(self, field)).decode() for name, field in FIELDS.items()}

    def identity(self) -> Identity:
        """Return what a server shows."""
        return Identity(self.certificate, self.key, self.authorities)

    def leaf(self) -> x509.Certificate:
        """Return the certificate."""
        return x509.load_pem_x509_certificate(self.certificate)

    def authority_certificates(self) -> Sequence[x509.Certificate]:
        """Return the authorities, the newest first."""
        return x509.load_pem_x509_certificates(self.authorities)

    def authority(self) -> KeyPair:
        """Return the newest authority."""
        return KeyPair(self.authority_certificates()[0].public_bytes(PEM), self.authority_key)


def first(names: Sequence[str], current_time: float) -> Keyring:
    """Make a keyring where there was none."""
    present = _present(current_time)
    authority = new_authority(_term(present, AUTHORITY_LASTS))
    pair = sign(names, authority, _term(present, CERTIFICATE_LASTS))
    return Keyring(
        certificate=pair.certificate,
        key=pair.key,
        authorities=authority.certificate,
        authority_key=authority.key,
    )


def renew(ring: Keyring, names: Sequence[str], current_time: float) -> Keyring:
    """Take the next step that is due, if any: the same keyring when there is none."""
    present = _present(current_time)
    newest = ring.authority_certificates()[0]
    # An authority must outlive every certificate that it signs. A new one is only
    # trusted in this step: the certificate follows in the next, when all callers have
    # heard of it.
    if newest.not_valid_after_utc < present + CERTIFICATE_LASTS:
        authority = new_authority(_term(present, AUTHORITY_LASTS))
        return replace(
            ring, authorities=authority.certificate + ring.authorities, authority_key=authority.key
        )
    if _is_outdated(ring.leaf(), newest, names, present):
        pair = sign(names, ring.authority(), _term(present, CERTIFICATE_LASTS))
        return replace(ring, certificate=pair.certificate, key=pair.key)
    # Old authorities leave last: until now a replica may still show a certificate of
    # theirs.
    alive = [
        certificate
        for certificate in ring.authority_certificates()
        if certificate.not_valid_after_utc > present
    ]
    if len(alive) < len(ring.authority_certificates()):
        return replace(ring, authorities=b"".join(certificate.public_bytes(PEM) for certificate in alive))
    return ring


def _is_outdated(
    leaf: x509.Certificate, newest: x509.Certificate, names: Sequence[str], present: datetime
) -> bool:
    return (
        leaf.issuer != newest.subject
        or leaf.not_valid_after_utc < present + CERTIFICATE_ENDS
        or not set(names) <= _names(leaf)
    )


def _names(leaf: x509.Certificate) -> set[str]:
    alternatives = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(alternatives.get_values_for_type(x509.DNSName))


def _present(current_time: float) -> datetime:
    return datetime.fromtimestamp(current_time, UTC)


def _term(present: datetime, lasts: timedelta) -> ValidityPeriod:
    # A peer whose clock is behind would call a certificate of this moment not yet
    # valid.
    return ValidityPeriod(present - CLOCKS_DIFFER, present + lasts)
