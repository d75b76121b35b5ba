"""Certificates for tests of TLS: identities of servers, and clients that authorities sign."""

import ssl
from datetime import UTC, datetime
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from reference_impl.runtime.serving.certificates import (
    ALWAYS,
    PEM,
    KeyPair,
    ValidityPeriod,
    fresh,
    new_authority,
    signing,
)

ENDED = ValidityPeriod(datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC))


@cache
def identity(name):
    """Return the identity of a server, the same one for the same name."""
    return fresh([name])


@cache
def authority(name):
    """Return an authority of clients, the same one for the same name."""
    del name
    return new_authority(ALWAYS)


@cache
def client(of, term=ALWAYS):
    """Return a certificate for clients and its key in PEM, signed by an authority."""
    issuer, signer = signing(of)
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "alice")]))
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(term.since)
        .not_valid_after(term.until)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return KeyPair(certificate.public_bytes(PEM), private)


def der(pair):
    """Return a certificate in DER."""
    return x509.load_pem_x509_certificate(pair.certificate).public_bytes(serialization.Encoding.DER)


def trusting(server, folder, shown=None):
    """Return the client side of TLS: it trusts the authority
    of a server's identity, and may show a certificate.
    """
    context = ssl.create_default_context(cadata=server.authority.decode())
    if shown is not None:
        file = folder / "client.pem"
        file.write_bytes(shown.certificate + shown.key)
        context.load_cert_chain(file)
    return context
