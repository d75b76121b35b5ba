"""What envtest starts as kube-apiserver: a fake cluster that takes
the certificates and the port it is told (apiserver.md §2.8).

Controllers are off, as Go suites expect of envtest; `FAKECLUSTER_CONTROLLERS=garbage,jobs` turns some on.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.memory import for_good, give_back
from ..base.numbers.integers import short
from ..base.stop_signals import on_signal
from .flags import FlagError, Flags

if TYPE_CHECKING:
    from ..auth.static_certificates import StaticCertificates
    from ..cluster.fake_cluster import FakeCluster

HELP = """\
A fake kube-apiserver: it serves the Kubernetes API from memory.

Flags with an effect:
  --secure-port PORT            where to listen on loopback
  --bind-address ADDRESS        a loopback address
  --cert-dir DIR                holds apiserver.crt and apiserver.key
  --tls-cert-file, --tls-private-key-file FILE
                                the same, file by file
  --client-ca-file FILE         who signs client certificates
  --requestheader-client-ca-file FILE
                                who signs the certificates of front proxies, which are believed with X-Remote-User
  --requestheader-allowed-names NAMES
                                their common names, separated by commas; any when left out
  --proxy-client-cert-file, --proxy-client-key-file FILE
                                what extension servers are shown
  --authorization-mode MODES    RBAC, or AlwaysAllow (the default), which also counts beside RBAC
  --token-auth-file FILE        bearer tokens, one a line: token,user,uid,"group1,group2"
  --disable-admission-plugins NAMES
                                such as TaintNodesByCondition, separated by commas; those that are not served have no effect
  --anonymous-auth=BOOL         whether requests without credentials are let in; never where every user may do everything

Flags without an effect, because nothing here needs them: --etcd-servers, --service-account-*, --service-cluster-ip-range,
--allow-privileged and others about storage, keys and networks. Any other flag is named in a warning.

Environment:
  FAKECLUSTER_CONTROLLERS       names of controllers to run, `all`, or `none` (the default)
"""
EFFECTIVE_FLAGS = frozenset(
    {
        "secure-port",
        "bind-address",
        "cert-dir",
        "tls-cert-file",
        "tls-private-key-file",
        "client-ca-file",
        "requestheader-client-ca-file",
        "requestheader-allowed-names",
        "proxy-client-cert-file",
        "proxy-client-key-file",
        "authorization-mode",
        "token-auth-file",
        "disable-admission-plugins",
        "anonymous-auth",
    }
)
IGNORED_FLAGS = frozenset(
    {
        "etcd-servers",
        "etcd-prefix",
        "service-account-issuer",
        "service-account-key-file",
        "service-account-signing-key-file",
        "service-cluster-ip-range",
        "allow-privileged",
        "enable-admission-plugins",
        "advertise-address",
        "endpoint-reconciler-type",
        "v",
    }
)
BACKLOG = 1024
MODES = ("RBAC", "Node", "AlwaysAllow")
TRUE, FALSE = (
    frozenset({"1", "t", "T", "true", "True", "TRUE"}),
    frozenset({"0", "f", "F", "false", "False", "FALSE"}),
)
LOOPBACK = frozenset({"", "127.0.0.1", "localhost"})
FAILED, USAGE = 3, 4


def main(arguments: list[str], environment: Mapping[str, str] = os.environ) -> int:
    """Serve until SIGTERM or SIGINT."""
    if {"--help", "-h"} & set(arguments):
        print(HELP)
        return 0
    try:
        flags = Flags.of(arguments)
        # First of all: envtest polls the port, and a refused connection costs it a pause.
        listening = _listening(flags)
    except FlagError as error:
        return _fail(str(error), USAGE)
    except OSError as error:
        return _fail(f"cannot listen: {error.strerror or error}", FAILED)
    with for_good():
        from ..auth.authentication.static_tokens import TokenFileError
        from ..cluster.fake_cluster import FakeCluster

    try:
        cluster = FakeCluster(
            **settings(flags), port=listening, controllers=environment.get("FAKECLUSTER_CONTROLLERS", "none")
        )
    except (FlagError, TokenFileError, ValueError) as error:
        return _fail(str(error), USAGE)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}", USAGE)
    for name in flags.unknown_names(EFFECTIVE_FLAGS | IGNORED_FLAGS):
        print(f"kube-apiserver (fakecluster): --{name} is not known here and has no effect", file=sys.stderr)
    return _serve(cluster)


def settings(flags: Flags) -> dict[str, Any]:
    """Return how the cluster is to be made. Raises FlagError, OSError for a file, TokenFileError."""
    rights = _asks_for_rights(flags)
    return {
        "clock": "wall",
        "authorization": "rbac" if rights else "always-allow",
        "anonymous": rights and _flag(flags, "anonymous-auth", default=True),
        "certificates": _certificates(flags),
        "tokens": _tokens(flags.get("token-auth-file")),
        "disabled_admission_plugins": tuple(filter(None, flags.get("disable-admission-plugins").split(","))),
    }


def _asks_for_rights(flags: Flags) -> bool:
    """Return whether roles and bindings are asked: not where one mode allows everything.

    Raises FlagError for a mode that is not served.
    """
    from ..base.validators import expected  # a mode that is misspelt must not allow everything

    modes = [mode for mode in flags.get("authorization-mode").split(",") if mode] or ["AlwaysAllow"]
    for mode in modes:
        if mode not in MODES:
            raise FlagError(f"--authorization-mode={mode}: {expected(mode, MODES)}")
    # The Node authorizer alone would allow no user to set the cluster up.
    if not {"AlwaysAllow", "RBAC"} & set(modes):
        raise FlagError(f"--authorization-mode={','.join(modes)}: expected RBAC or AlwaysAllow among them")
    return "AlwaysAllow" not in modes


def _flag(flags: Flags, name: str, *, default: bool) -> bool:
    """Return a flag that is true or false, in the words that Go reads. Raises FlagError."""
    if not (value := flags.get(name)):
        return default
    if value not in TRUE | FALSE:
        raise FlagError(f"--{name}={value}: expected true or false")
    return value in TRUE


def _tokens(file: str) -> dict[str, Any]:
    from ..auth.authentication.static_tokens import parse

    return dict(parse(Path(file).read_text(encoding="utf-8"), source=file)) if file else {}


def _listening(flags: Flags) -> socket.socket:
    """Listen before anything is loaded: who asks meanwhile
    waits for the answer, and need not come again later.
    """
    text = flags.value_of("secure-port")
    if (port := short(text)) is None or port > 65535:
        raise FlagError(f"--secure-port={text}: expected a number from 0 to 65535")
    if (address := flags.get("bind-address")) not in LOOPBACK:
        raise FlagError(
            f"--bind-address={address}: a fake API server listens on loopback only: use 127.0.0.1"
        )
    return socket.create_server(("127.0.0.1", port), backlog=BACKLOG)


def _certificates(flags: Flags) -> StaticCertificates:
    from ..auth.static_certificates import StaticCertificates

    folder = Path(flags.get("cert-dir", "."))
    client_ca, proxy_ca = flags.get("client-ca-file"), flags.get("requestheader-client-ca-file")
    names = flags.get("requestheader-allowed-names").split(",")
    client_certificate, key = flags.get("proxy-client-cert-file"), flags.get("proxy-client-key-file")
    return StaticCertificates.read(
        certificate=Path(flags.get("tls-cert-file") or folder / "apiserver.crt"),
        key=Path(flags.get("tls-private-key-file") or folder / "apiserver.key"),
        client_ca=Path(client_ca) if client_ca else None,
        proxy_ca=Path(proxy_ca) if proxy_ca else None,
        proxy_names=tuple(name for name in names if name),
        front_proxy=(Path(client_certificate), Path(key)) if client_certificate and key else None,
    )


def _serve(cluster: FakeCluster) -> int:
    # Before the cluster starts: a SIGTERM that comes early is not lost.
    stop = on_signal()
    cluster.start()
    print(f"ready {cluster.url}", flush=True)
    # Once ready the garbage of the start goes back to the system.
    give_back()
    stop.wait()
    cluster.stop()
    return 0


def _fail(why: str, code: int) -> int:
    print(f"kube-apiserver (fakecluster): {why}", file=sys.stderr)
    return code
