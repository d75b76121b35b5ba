"""A certificate for the webhooks, and the authority that signed it and is thrown away with it."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK: Final = ("127.0.0.1", "::1")
SINCE, UNTIL = datetime(2020, 1, 1, tzinfo=UTC), datetime(2049, 12, 31, tzinfo=UTC)
"""It lives as long as the process; a cluster in virtual time must find it valid too."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a server shows, in PEM, and what a client trusts."""

    certificate: bytes
    key: bytes
    authority: bytes

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings of a server with this identity."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        with TemporaryDirectory(prefix="kueue-reference-") as folder:  # ssl reads files only
            files = Path(folder, "tls.crt"), Path(folder, "tls.key")
            files[0].write_bytes(self.certificate)
            files[1].touch(0o600)
            files[1].write_bytes(self.key)
            context.load_cert_chain(*files)
        return context


def fresh(names: Sequence[str]) -> Identity:
    """Make an identity for these names, with an authority of its own."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = _named("kueue-reference webhook authority")
    authority = (
        _certificate(issuer, issuer, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    alternatives = [_alternative(name) for name in ("localhost", *LOOPBACK, *names)]
    certificate = (
        _certificate(_named("kueue-reference webhooks"), issuer, key)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return Identity(certificate.public_bytes(pem), private, authority.public_bytes(pem))


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(SINCE)
        .not_valid_after(UNTIL)
    )


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(name: str) -> x509.GeneralName:
    return x509.IPAddress(ipaddress.ip_address(name)) if name in LOOPBACK else x509.DNSName(name)
