"""The API server's address and our credentials: kubeconfig files, or the service account inside a pod."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import os
import ssl
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from ..api.resource import Json
from .errors import KubeconfigError

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
EXAMPLE = "kubectl config view --raw --minify > FILE"

Dial = Callable[[asyncio.Protocol], None]
"""Connects a protocol on the running loop. Raises OSError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What a client needs to talk to one API server; certificates as PEM bytes."""

    server: str
    ca: bytes | None = None
    token: str = ""
    token_file: Path | None = None
    """Where the token is renewed from time to time."""
    certificate: bytes | None = None
    key: bytes | None = None
    verify: bool = True
    server_name: str = ""
    dial: Dial | None = None
    """How a server of this process is reached without its address."""

    def ssl_context(self) -> ssl.SSLContext | None:
        """Return the TLS settings, None for plain HTTP."""
        if not self.server.startswith("https:"):
            return None
        context = ssl.create_default_context(cadata=self.ca.decode() if self.ca else None)
        if not self.verify:
            # In this order: Python refuses CERT_NONE while host names are checked.
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if self.certificate and self.key:
            with _as_file(self.certificate + b"\n" + self.key) as path:
                context.load_cert_chain(path)
        return context


@contextlib.contextmanager
def _as_file(content: bytes) -> Iterator[str]:
    # OpenSSL takes a client certificate only from a file.
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        yield file.name


def load(path: str | Path, context: str = "") -> Connection:
    """Read the connection of a context (the current one by default) from a kubeconfig file."""
    path = Path(path)
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        config = yaml.load(path.read_bytes(), Loader=loader)  # noqa: S506
    except OSError as error:
        raise KubeconfigError(
            f"cannot read kubeconfig {path}: {error.strerror}; make one with: {EXAMPLE}"
        ) from None
    except yaml.YAMLError as error:
        raise KubeconfigError(f"kubeconfig {path} is not YAML: {' '.join(str(error).split())}") from None
    try:
        return _connection(config, context, path.parent)
    except KubeconfigError as error:
        raise KubeconfigError(f"kubeconfig {path}: {error}") from None
    except ssl.SSLError as error:
        raise KubeconfigError(f"kubeconfig {path}: the certificates do not fit: {error}") from None


def in_cluster() -> Connection:
    """Return the connection of a pod's service account."""
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT", "443")
    if not host:
        raise KubeconfigError("no API server: give --kubeconfig FILE, or run in a pod with a service account")
    file = SERVICE_ACCOUNT / "token"
    try:
        ca, token = (SERVICE_ACCOUNT / "ca.crt").read_bytes(), file.read_text("utf-8").strip()
    except OSError as error:
        raise KubeconfigError(
            f"this pod has no usable service account: cannot read {error.filename}: {error.strerror}; "
            "set automountServiceAccountToken, or give --kubeconfig FILE"
        ) from None
    # An IPv6 address of a Service needs brackets in a URL.
    host = f"[{host}]" if ":" in host else host
    return Connection(server=f"https://{host}:{port}", ca=ca, token=token, token_file=file)


def _connection(config: Json, context: str, base: Path) -> Connection:
    if not isinstance(config, dict):
        raise KubeconfigError("expected a mapping with clusters, users and contexts")
    chosen = _find(config, "context", context or config.get("current-context") or "")
    cluster = _find(config, "cluster", chosen.get("cluster", ""))
    user = _find(config, "user", chosen["user"]) if chosen.get("user") else {}
    # A user with a plugin would be anonymous here, and every request fail with 403:
    # refused at once, by its name.
    if unsupported := sorted({"exec", "auth-provider", "username"} & user.keys()):
        raise KubeconfigError(
            f"user has {unsupported[0]!r}; only tokens and client certificates are understood"
        )
    server = str(cluster.get("server", "")).rstrip("/")
    if not server.startswith(("http://", "https://")):
        raise KubeconfigError(f"server is {server!r}, expected http://… or https://…")
    # As client-go: a token in the file wins over one in another file.
    file = None if user.get("token") or not user.get("tokenFile") else base / str(user["tokenFile"])
    token = user.get("token") or (_content(user, "tokenFile", base) or b"").decode().strip()
    return Connection(
        server=server,
        ca=_content(cluster, "certificate-authority", base),
        token=token,
        token_file=file,
        certificate=_content(user, "client-certificate", base),
        key=_content(user, "client-key", base),
        verify=not cluster.get("insecure-skip-tls-verify", False),
        server_name=cluster.get("tls-server-name", ""),
    )


def _find(config: Json, section: str, name: str) -> Json:
    entries = {entry.get("name"): entry.get(section) or {} for entry in config.get(f"{section}s") or []}
    if name not in entries:
        names = ", ".join(map(repr, entries)) or "none"
        raise KubeconfigError(f"no {section} named {name!r} (there: {names})")
    chosen: Json = entries[name]
    return chosen


def _content(entry: Json, field: str, base: Path) -> bytes | None:
    if data := entry.get(f"{field}-data"):
        try:
            return base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise KubeconfigError(f"{field}-data is not base64") from None
    if not (path := entry.get(field)):
        return None
    try:
        return base.joinpath(str(path)).read_bytes()
    except OSError as error:
        raise KubeconfigError(f"cannot read {field} {path}: {error.strerror}") from None
