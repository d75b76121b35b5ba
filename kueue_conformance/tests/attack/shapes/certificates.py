"""Client certificates with strange names and uses: each is answered, or refused in the handshake."""

import datetime as dt
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ..conversation import Conversation
from ..requests import CONFIG_MAPS, request
from .shape import Shape

NAME, GROUP = NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME
CLIENT, SERVER, ANY = (
    ExtendedKeyUsageOID.CLIENT_AUTH,
    ExtendedKeyUsageOID.SERVER_AUTH,
    ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,
)
YEARS = ((2020, 2099), (2020, 2099), (2020, 2099), (2020, 2021), (2098, 2099))
TEXTS = ("", "a", "a" * 60_000, "\0", "a\nb", "système", "*", "CN=a,O=b", "\U0001f600")


def subjects(random):
    """Return the attributes of a subject: no name, one, several, and any number of groups."""
    names = [(NAME, random.choice(TEXTS)) for _ in range(random.choice((0, 1, 1, 2, 100)))]
    groups = [
        (GROUP, random.choice((*TEXTS, f"g{number}")))
        for number in range(random.choice((0, 1, 10, 5_000)))
    ]  # fmt: skip
    attributes = [*names, *groups]
    random.shuffle(attributes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of lengths that no certificate should have
        return [x509.NameAttribute(kind, value, _validate=False) for kind, value in attributes]


def extensions(random):
    """Return uses that fit clients or do not, and names that clients have no use for."""
    uses = random.choice(((CLIENT,), (CLIENT, SERVER), (ANY,), (SERVER,), (ANY, CLIENT), ()))
    result = [x509.ExtendedKeyUsage(uses)] if uses else []
    if random.random() < 0.3:
        many = random.choice((1, 5_000))
        result.append(x509.SubjectAlternativeName([x509.DNSName(f"a{number}.b") for number in range(many)]))
    if random.random() < 0.2:
        result.append(x509.BasicConstraints(ca=True, path_length=None))
    return result


def certificate(site, random):
    """Write a certificate with its key to a file and return its path."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer, signer = _authority(site, random)
    begins, ends = (dt.datetime(year, 1, 1, tzinfo=dt.UTC) for year in random.choice(YEARS))
    builder = x509.CertificateBuilder(
        issuer, x509.Name(subjects(random)), key.public_key(), x509.random_serial_number(), begins, ends
    )
    for extension in extensions(random):
        builder = builder.add_extension(extension, critical=random.random() < 0.5)
    signed = builder.sign(signer, hashes.SHA256())
    file = site.pki.parent / f"client-{random.getrandbits(64):x}.pem"
    encoded = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + encoded)
    return file


def _authority(site, random):
    """Return the name and the key of who signs: the authority of clients, that of proxies, or a stranger."""
    name = random.choice(("ca", "ca", "ca", "front-proxy-ca", ""))
    if not name:
        return x509.Name([]), ec.generate_private_key(ec.SECP256R1())
    own = x509.load_pem_x509_certificate((site.pki / f"{name}.crt").read_bytes())
    return own.subject, serialization.load_pem_private_key((site.pki / f"{name}.key").read_bytes(), None)


def strange(site, random):
    """A request with a client certificate, which may carry headers of a front proxy as well."""
    extra = random.choice((b"", b"X-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n"))
    return Conversation(
        parts=(request(site, "GET", CONFIG_MAPS, extra=extra),), certificate=certificate(site, random),
        connections=random.choice((1, 1, 5)),
    )  # fmt: skip


SHAPES = (Shape("client-certificates", strange, frozenset({"certificates"})),)
