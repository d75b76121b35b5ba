"""A throw-away certificate authority: server and client certificates, made in memory (S4, FK-390)."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from ..base.tls import RecordReader
from .issuers import Issuers

NOT_BEFORE = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
NOT_AFTER = dt.datetime(2120, 1, 1, tzinfo=dt.UTC)
NO_CHECK_TIME = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME: a client with an expired certificate is answered 401, not cut off."""
CA_COMMON_NAME, PROXY_AUTHORITY = "fakecluster-ca", "fakecluster-front-proxy-ca"
"""The common names of a cluster's authorities."""
FRONT_PROXY = "front-proxy-client"
"""The common name of the certificate that a front proxy shows."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class KeyPair(Struct, frozen=True):
    """A certificate and its private key, both PEM."""

    certificate: bytes
    key: bytes


class Certificates(Protocol):
    """What a server shows, and whom it believes."""

    @property
    def pem(self) -> bytes:
        """The authority that signs client certificates."""

    @property
    def server_context(self) -> ssl.SSLContext:
        """The server's side of TLS."""

    @property
    def names(self) -> tuple[str, ...]:
        """The host names and addresses in the server's certificate."""

    @property
    def issuers(self) -> Issuers:
        """The authorities that sign clients and front proxies, and the names of the latter."""

    @property
    def front_proxy(self) -> KeyPair | None:
        """The certificate that the aggregator shows to extension servers,
        None when there is no key to sign one.
        """

    def client(self, user: str, groups: Iterable[str]) -> KeyPair | None:
        """Return a certificate that names a user, None when the authority's key is not here."""


class Authority(Struct, frozen=True, dict=True):
    """Signs the certificates of one cluster and its forks."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def fresh(cls, name: str = CA_COMMON_NAME) -> Self:
        """Return a new authority with a common name."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(name)
        return cls(_sign(subject, subject, key, key, _authority_extensions()), key)

    @cached_property
    def pem(self) -> bytes:
        """The authority's own certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @cached_property
    def proxies(self) -> Authority:
        """The authority that signs front proxies."""
        return Authority.fresh(PROXY_AUTHORITY)

    @cached_property
    def front_proxy(self) -> KeyPair:
        """The certificate that the aggregator shows to extension servers."""
        return self.proxies.client(FRONT_PROXY, ())

    @cached_property
    def issuers(self) -> Issuers:
        """The authorities that sign clients and front proxies, and the names of the latter."""
        return Issuers(self.pem, self.proxies.pem, (FRONT_PROXY,))

    @cached_property
    def server_pair(self) -> KeyPair:
        """The certificate that the server shows."""
        return self.server(LOOPBACK)

    @property
    def private(self) -> bytes:
        """The authority's key, PEM."""
        return private_pem(self.key)

    def client(self, user: str, groups: Iterable[str]) -> KeyPair:
        """Return a certificate that names a user (CN) and groups (O)."""
        return self._issue(_name(user, groups), [_usage(ExtendedKeyUsageOID.CLIENT_AUTH)])

    def server(self, names: Iterable[str] = LOOPBACK) -> KeyPair:
        """Return a certificate for host names and addresses."""
        alternative_names = x509.SubjectAlternativeName([_alternative(name) for name in names])
        return self._issue(
            _name("fakecluster"), [_usage(ExtendedKeyUsageOID.SERVER_AUTH), (alternative_names, False)]
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The host names and addresses in the server's certificate."""
        return LOOPBACK

    @cached_property
    def server_context(self) -> ssl.SSLContext:
        """The server's side of TLS."""
        with _as_file(self.server_pair) as file:
            return serving(file, file, self.pem + self.proxies.pem)

    def context_for(self, names: Iterable[str]) -> ssl.SSLContext:
        """Return the side of TLS of a server with those host names and addresses."""
        with _as_file(self.server(names)) as file:
            return serving(file, file, self.pem)

    def _issue(self, subject: x509.Name, extensions: list[tuple[x509.ExtensionType, bool]]) -> KeyPair:
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _sign(subject, self.certificate.subject, key, self.key, extensions)
        return KeyPair(
            certificate.public_bytes(serialization.Encoding.PEM),
            private_pem(key),
        )


def private_pem(key: PrivateKeyTypes) -> bytes:
    """Return a key as PEM that names its algorithm, `EC PRIVATE KEY` (SEC 1) or `RSA PRIVATE KEY`, as
    Kubernetes' tools write it: Java clients take an EC key in PKCS #8 for one of RSA.
    """
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )


def names_of_certificate(certificate: bytes) -> tuple[str, ...]:
    """Return the host names in a server's certificate, given as PEM. Raises ValueError."""
    try:
        extension = x509.load_pem_x509_certificate(certificate).extensions.get_extension_for_class(
            x509.SubjectAlternativeName
        )
    except x509.ExtensionNotFound:
        return ()
    return tuple(extension.value.get_values_for_type(x509.DNSName))


def identify(context: ssl.SSLContext, pair: KeyPair) -> None:
    """Let one side of TLS show a certificate."""
    with _as_file(pair) as file:
        context.load_cert_chain(file)


@contextmanager
def _as_file(pair: KeyPair) -> Iterator[Path]:
    """Lend a file with a certificate and its key: the standard library loads a chain from files only."""
    # OpenSSL reads a chain from a file only.
    with tempfile.TemporaryDirectory(prefix="fakecluster-") as folder:
        file = Path(folder, "pair.pem")
        # The mode before the content, so that the key is never readable by others.
        file.touch(mode=0o600)
        file.write_bytes(pair.certificate + pair.key)
        yield file


def serving(certificate: Path, key: Path, client_ca: bytes) -> ssl.SSLContext:
    """Return a server's side of TLS: 1.2 or newer, HTTP/1.1 only,
    client certificates welcome but not required.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Set on the context, as the event loop makes the objects itself.
    context.sslobject_class = _Handshake
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    if client_ca:
        # Optional: a client without a certificate may have a token.
        context.verify_mode = ssl.CERT_OPTIONAL
        # Expiry is judged later, and answered with 401 as kube-apiserver does.
        context.verify_flags |= NO_CHECK_TIME
        context.load_verify_locations(cadata=client_ca.decode())
    return context


class _Handshake(RecordReader):
    """A handshake that tells its client that its certificate is not trusted: event loops hang up without
    sending the alert.
    """

    _failure: ssl.SSLError | None = None

    def do_handshake(self) -> None:
        """Go on with the handshake. Raises SSLError, for a certificate only when the client moves again."""
        if self._failure is not None:
            raise self._failure
        try:
            super().do_handshake()
        except ssl.SSLCertVerificationError as error:
            self._failure = error
            # Wanting to read lets the loop send the alert that waits in the buffer.
            raise ssl.SSLWantReadError from error


def _name(common: str, organizations: Iterable[str] = ()) -> x509.Name:
    groups = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization) for organization in organizations]
    return x509.Name([*groups, x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _usage(purpose: x509.ObjectIdentifier) -> tuple[x509.ExtensionType, bool]:
    return x509.ExtendedKeyUsage([purpose]), False


def _authority_extensions() -> list[tuple[x509.ExtensionType, bool]]:
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        crl_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    # No further authority below this one.
    return [(x509.BasicConstraints(ca=True, path_length=0), True), (usage, True)]


def _sign(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    extensions: list[tuple[x509.ExtensionType, bool]],
) -> x509.Certificate:
    builder = x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(), NOT_BEFORE, NOT_AFTER
    )
    identifiers = [
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), False),
    ]
    for extension, critical in [*extensions, *identifiers]:
        builder = builder.add_extension(extension, critical=critical)
    return builder.sign(signer, hashes.SHA256())
