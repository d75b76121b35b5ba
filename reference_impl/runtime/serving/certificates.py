"""Certificates of servers and the authorities that sign them; `fresh` makes both for one run of a process."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK: Final = ("127.0.0.1", "::1")
PEM: Final = serialization.Encoding.PEM


class ValidityPeriod(NamedTuple):
    """From when until when something is valid."""

    since: datetime
    until: datetime


# For what lives as long as the process; a cluster in virtual time must find it valid
# too.
ALWAYS: Final = ValidityPeriod(datetime(2020, 1, 1, tzinfo=UTC), datetime(2049, 12, 31, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its key, in PEM."""

    certificate: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class Identity:
    """What a server shows, in PEM, and what a client trusts."""

    certificate: bytes
    key: bytes
    authority: bytes


def fresh(names: Sequence[str]) -> Identity:
    """Make an identity for these names, with an authority of its own."""
    authority = new_authority(ALWAYS)
    pair = sign(names, authority, ALWAYS)
    return Identity(pair.certificate, pair.key, authority.certificate)


def new_authority(term: ValidityPeriod) -> KeyPair:
    """Make an authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    # Two authorities of one name side by side would be mistaken for each other.
    name = _name(f"serving authority {secrets.token_hex(4)}")
    certificate = (
        _certificate(name, name, key.public_key(), term)
        # Go refuses an authority without basic constraints.
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _pair(certificate, key)


def signing(authority: KeyPair) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return what an authority signs with; raises ValueError when its key is not its own."""
    certificate = x509.load_pem_x509_certificate(authority.certificate)
    key = serialization.load_pem_private_key(authority.key, None)
    if isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == certificate.public_key():
        return certificate, key
    raise ValueError("the key of the authority does not fit its certificate")


def sign(names: Sequence[str], authority: KeyPair, term: ValidityPeriod) -> KeyPair:
    """Make a certificate for these names and this machine."""
    issuer, signer = signing(authority)
    key = ec.generate_private_key(ec.SECP256R1())
    # Always with the loopback names: probes and port-forwarding come from there.
    alternatives = [_alternative(name) for name in dict.fromkeys(("localhost", *LOOPBACK, *names))]
    certificate = (
        _certificate(_name("serving"), issuer.subject, key.public_key(), term)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    return _pair(certificate, key)


def _pair(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> KeyPair:
    private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return KeyPair(certificate.public_bytes(PEM), private)


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, term: ValidityPeriod
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(term.since)
        .not_valid_after(term.until)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(name: str) -> x509.GeneralName:
    """Return how a certificate says a name, or an address."""
    try:
        # Go compares an address with IP alternatives only, never with DNS names.
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
