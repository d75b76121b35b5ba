"""Throw-away certificates of servers that the harness starts:
an authority in memory and what it signs (stack D8).
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from ..base.files import scratch

LOOPBACK = ("localhost", "127.0.0.1")
# Fixed and wide: no clock has to agree with that of this machine.
_FROM = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
_UNTIL = dt.datetime(2120, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A key and what vouches for it, both PEM."""

    public: bytes
    key: bytes

    @classmethod
    def bare(cls) -> Self:
        """Return a key pair without certificate,
        as service account tokens are signed with: RSA, as kubeadm makes it.
        """
        key = rsa.generate_private_key(65537, 2048)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return cls(public=public, key=_private(key))

    def write(self, public: Path, key: Path) -> None:
        """Write both into files; the key is for the owner's eyes."""
        public.write_bytes(self.public)
        # Made with its mode before the key is in it.
        key.touch(mode=0o600)
        key.write_bytes(self.key)


@dataclass(frozen=True)
class Authority:
    """Signs certificates that are good for servers and clients alike."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def fresh(cls) -> Self:
        """Return a new authority."""
        key, name = _key(), _name("kueue-conformance-ca")
        builder = _certificate_builder(name, name, key).add_extension(
            x509.BasicConstraints(True, None), critical=True
        )
        return cls(builder.sign(key, hashes.SHA256()), key)

    @property
    def pem(self) -> bytes:
        """The authority's own certificate."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def own(self) -> KeyPair:
        """The authority's certificate and key, for a program that signs with them."""
        return KeyPair(public=self.pem, key=_private(self.key))

    def pair(self, common: str, names: Iterable[str] = LOOPBACK) -> KeyPair:
        """Return a signed pair for a name, good for these hosts and addresses."""
        key = _key()
        # Clients look at this extension alone; Go no longer reads a host out of the common name.
        hosts = x509.SubjectAlternativeName([_alternative(name) for name in names])
        builder = _certificate_builder(_name(common), self.certificate.subject, key).add_extension(
            hosts, critical=False
        )
        signed = builder.sign(self.key, hashes.SHA256())
        return KeyPair(public=signed.public_bytes(Encoding.PEM), key=_private(key))

    def context_for(self, names: Iterable[str]) -> ssl.SSLContext:
        """Return the side of TLS of a server with those host names and addresses."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # The standard library loads a chain from files only.
        with scratch.folder() as folder:
            certificate, key = Path(folder, "server.crt"), Path(folder, "server.key")
            self.pair("peer", names).write(certificate, key)
            context.load_cert_chain(certificate, key)
        return context


def _certificate_builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
    return builder.not_valid_before(_FROM).not_valid_after(_UNTIL)


def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _private(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _alternative(name: str) -> x509.GeneralName:
    try:
        # An address must be of its own type: as a DNS name it fits no connection to it.
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
