"""A cluster and the reference beside it as processes,
certificates of its authorities, and a client that shows them.
"""

import contextlib
import http.client
import json
import signal
import ssl
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kueue_conformance.tests.attack.client import Client
from kueue_conformance.tests.attack.conversation import Site
from kueue_conformance.tests.attack.targets import Program

TOKENS = 'admin-token,admin,1,"system:masters"\n'
SOON, LONG_AGO, LATER = (datetime(year, 1, 1, tzinfo=UTC) for year in (2021, 2020, 2049))
GROUP = "visibility.kueue.x-k8s.io"
SHARED = f"/apis/{GROUP}/v1beta2/clusterqueues/shared/pendingworkloads"


def local_queue(namespace, name):
    """Return the path of what waits in a LocalQueue."""
    return f"/apis/{GROUP}/v1beta2/namespaces/{namespace}/localqueues/{name}/pendingworkloads"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    code: int
    body: str
    headers: dict

    @property
    def message(self):
        """The message of a Status."""
        return json.loads(self.body)["message"]


class Issuer:
    """An authority: of a folder that `--pki` wrote, or a new one."""

    def __init__(self, certificate, key):
        self.certificate, self._key = certificate, key

    @classmethod
    def of(cls, folder, name):
        """Read an authority."""
        key = serialization.load_pem_private_key((folder / f"{name}.key").read_bytes(), None)
        return cls(x509.load_pem_x509_certificate((folder / f"{name}.crt").read_bytes()), key)

    @classmethod
    def new(cls, name):
        """Make an authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = _builder(subject, subject, key, LATER)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        return cls(builder.sign(key, hashes.SHA256()), key)

    @property
    def pem(self):
        """The certificate in PEM."""
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def issue(self, folder, name, *, until=LATER):
        """Write a client's certificate and key into one file and return its path."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = _builder(subject, self.certificate.subject, key, until)
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
        certificate = builder.add_extension(usage, critical=False).sign(self._key, hashes.SHA256())
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        file = Path(folder, f"{name}-{certificate.serial_number}.pem")
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
        return file


def _builder(subject, issuer, key, until):
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(LONG_AGO)
        .not_valid_after(until)
    )


class Pair:
    """`fakecluster serve` and `kueue-reference --install`; use in a `with` block."""

    def __init__(self, folder, *options):
        """`options` are more of the reference's."""
        self._options = options
        self.folder, self.pki, self.kubeconfig = folder, folder / "pki", folder / "kubeconfig"
        self._programs = []

    def __enter__(self):
        tokens = self.folder / "tokens.csv"
        tokens.write_text(TOKENS)
        self.serve = self._start(
            "serve",
            "fakecluster",
            "serve",
            "--authorization",
            "rbac",
            "--token-file",
            tokens,
            "--kubeconfig",
            self.kubeconfig,
            "--pki",
            self.pki,
        )
        self.reference = self._start("reference", *self.command)
        self.api_port = urlsplit(self.serve.ready.split()[1]).port
        self.port = urlsplit(self.reference.ready.split()[-1]).port
        self.clients = Issuer.of(self.pki, "ca")
        return self

    def __exit__(self, *_):
        for program in reversed(self._programs):
            with contextlib.suppress(ProcessLookupError):
                program.process.send_signal(signal.SIGCONT)
            program.stop()

    @property
    def command(self):
        """What starts the reference, without the interpreter."""
        return (
            "reference_impl",
            "--kubeconfig",
            self.kubeconfig,
            "--install",
            "--webhook-port",
            "0",
            *self._options,
        )

    @property
    def admin(self):
        """A client of the API server that may do everything."""
        return contextlib.closing(Client(Site(name="serve", port=self.api_port, token="admin-token")))

    @property
    def logs(self):
        """What both programs have logged."""
        return "".join(program.log.read_text("utf-8", "replace") for program in self._programs)

    @contextlib.contextmanager
    def pause(self):
        """Let the API server answer nothing in a block."""
        self.serve.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.serve.process.send_signal(signal.SIGCONT)

    def certificate(self, name, **options):
        """Return the file of a client's certificate that the cluster's authority signed."""
        return self.clients.issue(self.folder, name, **options)

    def ask(self, path, *, certificate=None, headers=None, port=None, method="GET"):
        """Return the answer at the port of visibility, or at another one. Raises OSError."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", port or self.port, timeout=30, context=showing(certificate)
        )
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.read().decode(), dict(answer.getheaders()))

    def _start(self, name, module, *arguments):
        command = (sys.executable, "-m", module, *map(str, arguments))
        self._programs.append(Program.start(name, self.folder, *command))
        return self._programs[-1]


def showing(certificate=None, *, protocols=()):
    """Return the client side of TLS, which offers `protocols` by ALPN."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if protocols:
        context.set_alpn_protocols(protocols)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certificate:
        context.load_cert_chain(certificate)
    return context
