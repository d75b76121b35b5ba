"""A cluster with RBAC in which the printed manifests are applied,
and replicas that run under exactly those rights.
"""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import yaml

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

ACCOUNT = "system:serviceaccount:kueue-system:kueue-reference"
GROUPS = ("system:serviceaccounts", "system:serviceaccounts:kueue-system", "system:authenticated")
SERVICE = "kueue-system/kueue-webhook-service"
VISIBILITY = "kueue-system/kueue-visibility-server"
COMMAND = (sys.executable, "-m", "reference_impl")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
END_TIMEOUT_SECONDS = 15.0


def manifests(*options):
    """Return what is printed, and its objects."""
    done = subprocess.run([*COMMAND, "manifests", *options], capture_output=True, text=True, check=True)
    return done.stdout, list(yaml.load_all(done.stdout, Loader=LOADER))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Site:
    """The cluster, its objects and its replicas. The Services lead to the first replica."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.shown = free_port(), free_port()
        self.replicas = []
        self.text, self.objects = manifests()
        self.cluster = FakeCluster(
            clock="wall",
            authorization="rbac",
            controllers="jobs,namespaces,clusterroles",
            services={SERVICE: f"127.0.0.1:{self.port}", VISIBILITY: f"127.0.0.1:{self.shown}"},
        )

    def __enter__(self):
        self.cluster.start()
        self.cluster.apply(self.objects)
        self.cluster.kubeconfig(self.folder / "account", user=ACCOUNT, groups=GROUPS)
        return self

    def __exit__(self, *_):
        for replica in self.replicas:
            replica.terminate()
            replica.communicate(timeout=END_TIMEOUT_SECONDS)
        self.cluster.stop()

    @property
    def configuration(self):
        (stored,) = (manifest for manifest in self.objects if manifest["kind"] == "ConfigMap")
        return yaml.safe_load(stored["data"]["config.yaml"])

    def replica(self, port=0, health="", elects=None):
        """Start a replica that reads the stored configuration,
        with addresses of this machine; return its process.
        """
        shown = {"bindAddress": "127.0.0.1", "bindPort": free_port() if self.replicas else self.shown}
        local_settings = {
            "webhook": {"port": port},
            "health": {"healthProbeBindAddress": health},
            "metrics": {},
            "visibilityServer": shown,
        }
        file = self.folder / f"{len(self.replicas)}.yaml"
        if elects:
            local_settings["leaderElection"] = self.configuration["leaderElection"] | elects
        file.write_text(yaml.safe_dump(self.configuration | local_settings))
        started = subprocess.Popen(
            [*COMMAND, "--kubeconfig", str(self.folder / "account"), "--config", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.replicas.append(started)
        return started

    def ask(self, method, path, body=None, kind="application/merge-patch+json"):
        headers = {"content-type": kind} if method == "PATCH" else {}
        return self.cluster.request(method, path, body, headers=headers)

    def is_gone(self, path):
        """Tell whether there is nothing at a path."""
        try:
            self.ask("GET", path)
        except StatusError as error:
            return error.code == 404
        return False

    def await_trust(self):
        """Wait until every caller of the webhooks trusts them."""
        callers = {
            manifest["metadata"]["name"] for manifest in self.objects if "'clientConfig'" in str(manifest)
        }
        self.wait(lambda: callers <= {entry.name for entry in self.of_the_account() if entry.verb == "patch"})

    def of_the_account(self):
        """Return what the replicas asked for."""
        return [entry for entry in self.cluster.journal if entry.user == ACCOUNT]

    def wait(self, holds):
        """Wait until something holds of the cluster;
        looks again after each write, and when a replica asks.
        """
        news, end = threading.Event(), time.monotonic() + END_TIMEOUT_SECONDS
        stop = self.cluster.journal.subscribe(
            lambda entry: (entry.wrote or entry.user == ACCOUNT) and news.set()
        )
        try:
            while not (answer := holds()):
                assert news.wait(end - time.monotonic()), "\n".join(
                    entry.line()
                    for entry in self.of_the_account()
                    if entry.resource not in {"leases", "secrets"}
                )
                news.clear()
        finally:
            stop()
        return answer
