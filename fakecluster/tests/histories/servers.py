"""Servers whose histories are judged: a fork of ours that only goes on during calls, or any that a kubeconfig
names.
"""

from __future__ import annotations

import base64
import ssl
import tempfile
from pathlib import Path

import yaml

from fakecluster import FakeCluster
from fakecluster.histories import Write

from .wire import Address

RESOURCE, NAMESPACE = "configmaps", "histories"


class OurServer:
    """A fork of a FakeCluster; time and events move only when it is told to turn."""

    is_ours = True
    wait_seconds = 0.0

    def __init__(self, cluster: FakeCluster) -> None:
        self.cluster = cluster
        self.address = Address(cluster.url, cluster.token())
        self._earlier_writes: list[Write] = []

    def turn(self) -> None:
        """Let everything happen that is under way."""
        self.cluster.settle()

    def fork(self) -> OurServer:
        """Return a server that goes on from this state on its own."""
        child = OurServer(self.cluster.fork(on_call=True))
        child._earlier_writes = self.writes()
        return child

    def compact(self) -> None:
        """Forget all history."""
        store = self.cluster._core.store
        self.cluster.call(store.compact)

    def restart(self) -> None:
        """Cut every connection and come back."""
        self.cluster.restart()
        self.address = Address(self.cluster.url, self.cluster.token())

    def writes(self) -> list[Write]:
        """Return every write of the journal."""
        return [
            *self._earlier_writes,
            *(
                Write(
                    span=None,
                    revision=change.revision,
                    object=change.after if change.after is not None else _state_of_removal(change),
                    is_removal=change.after is None,
                )
                for entry in self.cluster.journal
                if entry.resource == RESOURCE and entry.namespace == NAMESPACE
                for change in entry.changes
            ),
        ]

    def stop(self) -> None:
        self.cluster.stop()


class RealServer:
    """A server that runs already."""

    is_ours = False
    wait_seconds = 5.0

    def __init__(self, kubeconfig: Path) -> None:
        config = yaml.safe_load(kubeconfig.read_text("utf-8"))
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        context = None
        if cluster["server"].startswith("https"):
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            if "client-certificate-data" in user:
                _load_certificate(context, user)
        self.address = Address(cluster["server"], user.get("token", ""), context)

    def turn(self) -> None:
        """It goes on by itself."""

    def writes(self) -> list[Write]:
        """What its clients know is all that is known."""
        return []

    def stop(self) -> None:
        """It goes on."""


def _load_certificate(context: ssl.SSLContext, user: dict) -> None:
    with tempfile.NamedTemporaryFile() as file:
        for name in ("client-certificate-data", "client-key-data"):
            file.write(base64.b64decode(user[name]) + b"\n")
        file.flush()
        context.load_cert_chain(file.name)


def _state_of_removal(change) -> dict:
    """Return the last state of an object as its removal shows it."""
    metadata = {**change.before["metadata"], "resourceVersion": str(change.revision)}
    return {**change.before, "metadata": metadata}
