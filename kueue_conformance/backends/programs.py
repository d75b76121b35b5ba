"""etcd, kube-apiserver and kube-controller-manager as
child processes in a folder of their own (oracles.md §1).
"""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import ssl
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import yaml

from ..base.errors import EnvironmentProblem
from ..programs.parent_death import signal_on_parent_death
from ..programs.remedies import remedy
from ..wire.certificates import Authority, KeyPair
from ..wire.endpoint import TOKEN, USERS
from ..wire.ports import free_ports
from .assets import Assets

_START = 180.0
_STOP_SECONDS = 2.0
"""Seconds for an orderly end; kube-apiserver would wait
a minute for open watches, and its data is thrown away.
"""
_POLL_SECONDS = 0.1
_PAST = 100
_TOLD = 2000
_OF_CONTROLLERS = tuple(
    f"/api/v1/namespaces/default/{name}"
    for name in ("serviceaccounts/default", "configmaps/kube-root-ca.crt")
)
"""What kube-controller-manager makes at first."""
_PROXY = (
    "username-headers=X-Remote-User",
    "group-headers=X-Remote-Group",
    "extra-headers-prefix=X-Remote-Extra-",
)


class Programs:
    """The programs, from `start` to `stop`; the folder holds kubeconfig, ca.crt, tokens.csv and the logs.

    controllers: with kube-controller-manager, and with the admission plugin ServiceAccount, which needs it.
    """

    def __init__(self, assets: Assets, folder: Path, *, controllers: bool = False) -> None:
        self._assets = assets
        self._folder = folder
        self._controllers = controllers
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start the programs and wait until the API server is ready, and its controllers are at work.

        Raises EnvironmentProblem with the end of its log.
        """
        self._certify()
        tokens = {name: TOKEN.format(name) for name in USERS}
        _secret(self._folder / "tokens.csv", "".join(_line(name, tokens[name]) for name in USERS))
        # All four at once: drawn one by one, two could be the same.
        storage, peer, secure, manager = free_ports(4)
        try:
            # The storage first: kube-apiserver gives up when it does not find it.
            self._run("etcd", self._assets.etcd, _etcd(self._folder, storage, peer))
            self._until_ready("etcd", http.client.HTTPConnection("127.0.0.1", storage, timeout=5), "/health")
            # Before the API server starts, so that every revision of its own is a later one.
            _age(http.client.HTTPConnection("127.0.0.1", storage, timeout=5))
            # Without a controller no namespace has a service account, and this plugin would
            # refuse every Pod.
            disabled = () if self._controllers else ("--disable-admission-plugins=ServiceAccount",)
            arguments = (*_api_server(self._folder, storage, secure), *disabled)
            self._run("kube-apiserver", self._assets.api_server, arguments)
            trusted = ssl.create_default_context(cafile=str(self._folder / "ca.crt"))
            connection = http.client.HTTPSConnection("127.0.0.1", secure, timeout=5, context=trusted)
            # /readyz includes the hook that writes the default roles of RBAC.
            self._until_ready("kube-apiserver", connection, "/readyz")
            _secret(self._folder / "kubeconfig", _kubeconfig(self._folder, secure, tokens["admin"]))
            if self._controllers:
                self._start_controllers(manager, connection, tokens["admin"])
        except BaseException:
            self.stop()
            raise

    def _start_controllers(self, port: int, connection: http.client.HTTPConnection, token: str) -> None:
        program = self._assets.controller_manager
        assert program is not None, "the backend has feature CONTROLLERS only where the program is there"
        self._run("kube-controller-manager", program, _controller_manager(self._folder, port))
        for path in _OF_CONTROLLERS:
            self._until_ready("kube-controller-manager", connection, path, token)

    def stop(self) -> None:
        """Stop the programs, the API server first; one that does not end is killed."""
        while self._running:
            # The newest first: an API server without its etcd does not end in order.
            process = self._running.pop()
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _certify(self) -> None:
        authority, folder = Authority.fresh(), self._folder
        authority.own.write(folder / "ca.crt", folder / "ca.key")
        authority.pair("kube-apiserver").write(folder / "server.crt", folder / "server.key")
        authority.pair("front-proxy-client").write(folder / "front-proxy.crt", folder / "front-proxy.key")
        KeyPair.bare().write(folder / "sa.pub", folder / "sa.key")

    def _run(self, name: str, program: Path, arguments: Sequence[str]) -> None:
        with (self._folder / f"{name}.log").open("wb") as log:
            try:
                # A group of its own: Ctrl-C is for the harness, which ends them in order.
                self._running.append(
                    subprocess.Popen(
                        [str(program), *arguments],
                        stdout=log,
                        stderr=log,
                        cwd=self._folder,
                        start_new_session=True,
                        # One system call, safe between fork and exec.
                        preexec_fn=signal_on_parent_death(signal.SIGKILL),  # noqa: PLW1509
                    )
                )
            except OSError as problem:
                raise EnvironmentProblem(
                    f"{str(program)!r} cannot be started: {problem.strerror}",
                    hint=f"is it built for this machine? {remedy('another api server')}",
                ) from problem

    def _until_ready(
        self, name: str, connection: http.client.HTTPConnection, path: str, token: str = ""
    ) -> None:
        end = time.monotonic() + _START
        while not _answers(connection, path, token):
            died = self._running[-1].poll()
            if died is not None or time.monotonic() > end:
                problem = (
                    f"ended with code {died}" if died is not None else f"is not ready after {_START:.0f} s"
                )
                raise EnvironmentProblem(f"{name} {problem}", hint=f"the end of its log:\n{self._log(name)}")
            time.sleep(_POLL_SECONDS)  # noqa: TID251 - an external program is polled until it is ready

    def _log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text("utf-8", "replace")[-_TOLD:]


def _answers(connection: http.client.HTTPConnection, path: str, token: str) -> bool:
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return False
    else:
        return answer.status == 200
    finally:
        connection.close()


def _age(storage: http.client.HTTPConnection) -> None:
    """Compact etcd's first revisions, as every cluster has done after minutes: early revisions are then too
    old to be read.
    """
    past = [("put", {"key": "cGFzdA=="})] * _PAST
    with contextlib.closing(storage):
        for operation, body in [*past, ("deleterange", past[0][1]), ("compaction", {"revision": str(_PAST)})]:
            storage.request("POST", f"/v3/kv/{operation}", body=json.dumps(body).encode())
            storage.getresponse().read()  # an imitation stores nothing and says so


def _etcd(folder: Path, port: int, peer: int) -> Sequence[str]:
    clients, peers = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer}"
    return (
        f"--data-dir={folder / 'etcd'}",
        # The data lives as long as the run; waiting for a disk would protect nothing.
        "--unsafe-no-fsync",
        "--log-level=error",
        f"--listen-client-urls={clients}",
        f"--advertise-client-urls={clients}",
        f"--listen-peer-urls={peers}",
        f"--initial-advertise-peer-urls={peers}",
        f"--initial-cluster=default={peers}",
    )


def _api_server(folder: Path, storage: int, port: int) -> Sequence[str]:
    return (
        f"--etcd-servers=http://127.0.0.1:{storage}",
        f"--secure-port={port}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--allow-privileged=true",
        "--authorization-mode=RBAC",
        # The server writes no Endpoints of its own beside the objects of a case.
        "--endpoint-reconciler-type=none",
        f"--client-ca-file={folder / 'ca.crt'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        f"--tls-cert-file={folder / 'server.crt'}",
        f"--tls-private-key-file={folder / 'server.key'}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={folder / 'sa.pub'}",
        f"--service-account-signing-key-file={folder / 'sa.key'}",
        f"--requestheader-client-ca-file={folder / 'ca.crt'}",
        "--requestheader-allowed-names=front-proxy-client",
        *(f"--requestheader-{argument}" for argument in _PROXY),
        f"--proxy-client-cert-file={folder / 'front-proxy.crt'}",
        f"--proxy-client-key-file={folder / 'front-proxy.key'}",
    )


def _controller_manager(folder: Path, port: int) -> Sequence[str]:
    return (
        f"--kubeconfig={folder / 'kubeconfig'}",
        f"--secure-port={port}",
        "--bind-address=127.0.0.1",
        # It is the only one, and an election would cost its seconds.
        "--leader-elect=false",
        f"--service-account-private-key-file={folder / 'sa.key'}",
        f"--root-ca-file={folder / 'ca.crt'}",
        f"--cluster-signing-cert-file={folder / 'ca.crt'}",
        f"--cluster-signing-key-file={folder / 'ca.key'}",
        f"--tls-cert-file={folder / 'server.crt'}",
        f"--tls-private-key-file={folder / 'server.key'}",
    )


def _kubeconfig(folder: Path, port: int, token: str) -> str:
    cluster = {"server": f"https://127.0.0.1:{port}", "certificate-authority": str(folder / "ca.crt")}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "envtest",
            "clusters": [{"name": "envtest", "cluster": cluster}],
            "users": [{"name": "admin", "user": {"token": token}}],
            "contexts": [{"name": "envtest", "context": {"cluster": "envtest", "user": "admin"}}],
        }
    )


def _line(user: str, token: str) -> str:
    groups = f',"{",".join(USERS[user])}"' if USERS[user] else ""
    return f"{token},{user},{user}{groups}\n"


def _secret(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.write_text(text, encoding="utf-8")
