"""Throw-away authorities and certificates, and the ConfigMap that names them."""

from datetime import UTC, datetime, timedelta

import orjson
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def subject(name, organizations=()):
    attributes = [
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization) for organization in organizations
    ]
    return x509.Name([*attributes, *([x509.NameAttribute(NameOID.COMMON_NAME, name)] if name else [])])


class Authority:
    """Signs certificates; like those of clusters it has no key identifiers."""

    def __init__(self, name="ca", *, ca=True, usage=None):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = subject(name)
        builder = self._builder(self.name, self.key, NOW + 365 * DAY)
        builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        if usage is not None:
            builder = builder.add_extension(usage, critical=True)
        self.certificate = builder.sign(self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def issue(self, name, organizations=(), *, end=NOW + DAY, usage=ExtendedKeyUsageOID.CLIENT_AUTH):
        """Return a certificate in DER."""
        builder = self._builder(subject(name, organizations), ec.generate_private_key(ec.SECP256R1()), end)
        if usage is not None:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)

    def _builder(self, name, key, end):
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - 2 * DAY)
            .not_valid_after(end)
        )


def config_map(proxies, clients, *, names=("front-proxy-client",), revision="1", **fields):
    data = {
        "client-ca-file": clients.pem,
        "requestheader-client-ca-file": proxies.pem,
        "requestheader-allowed-names": orjson.dumps(names).decode(),
        "requestheader-username-headers": '["X-Remote-User"]',
        "requestheader-group-headers": '["X-Remote-Group"]',
        "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    }
    metadata = {
        "name": "extension-apiserver-authentication",
        "namespace": "kube-system",
        "resourceVersion": revision,
    }
    return {"metadata": metadata, "data": {**data, **fields}}
