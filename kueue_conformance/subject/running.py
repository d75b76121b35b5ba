"""A subject at work on one cluster: started, ready when its own check is Active, watched, ended (harness/H-03, H-43)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ..backends import Cluster
from ..budget import Budgets
from ..client import Client
from ..errors import SubjectDied
from . import Connector, SubjectContext
from .declaration import Declaration
from .verdicts import VerdictServer

Json: TypeAlias = Any


class RunningSubject:
    """Started by `start`, which returns when the subject is ready."""

    def __init__(
        self, declaration: Declaration, connector: Connector, budgets: Budgets, server: VerdictServer
    ) -> None:
        self.controller_name = declaration.controller_name
        self.drivers = declaration.drivers
        self.verdicts = server.verdicts
        self._connector = connector
        self._budgets = budgets
        self._folder = TemporaryDirectory(prefix="kueue-conformance-subject-")
        self._server = server
        self._context: SubjectContext | None = None
        self._handle: Any = None

    def start(self, cluster: Cluster, announce: Callable[[str], None]) -> None:
        """Start the subject on a cluster and wait until it is ready. Raises SubjectDied."""
        kubeconfig = cluster.identity_for_subject(Path(self._folder.name))
        self._context = SubjectContext(kubeconfig, self.controller_name, self._server.url)
        if self._connector.alone:
            announce(
                f"start your controller now: KUBECONFIG={kubeconfig}"
                f" KUEUE_CONFORMANCE_CONTROLLER_NAME={self.controller_name}"
                f" KUEUE_CONFORMANCE_VERDICT_URL={self._server.url}"
            )
        self._handle = self._connector.start(self._context, cluster)
        self._until_ready(cluster)

    def check_alive(self) -> None:
        """Raise SubjectDied, with the newest lines of its log, when the subject has ended by itself."""
        ended = self._handle.ended() if self._handle else "it was never started"
        if ended:
            raise SubjectDied(f"the subject died: {ended}{self._tail()}", hint="run it by hand to see why")

    def log(self) -> list[str]:
        """Return the newest lines that the subject printed."""
        return list(self._handle.log()) if self._handle else []

    def stop(self) -> None:
        """End the subject."""
        if self._handle is not None:
            self._handle.stop(self._budgets.seconds("stop"))
            self._handle = None
        self._folder.cleanup()

    def _until_ready(self, cluster: Cluster) -> None:
        client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe")
        name = f"ready-probe-{secrets.token_hex(3)}"
        spec = {"controllerName": self.controller_name}
        client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})
        budget = self._budgets.seconds("connect" if self._connector.alone else "start")
        try:
            if not cluster.wait(lambda: is_active(client.get("AdmissionCheck", name)), budget, self._lives):
                raise SubjectDied(
                    f"the subject was not ready: no AdmissionCheck with controllerName {self.controller_name!r} "
                    f"became Active within {budget:g} s{self._tail()}",
                    hint="does it read KUBECONFIG, and is --controller-name the name it answers for?",
                )
        finally:
            client.clean_up()

    def _lives(self) -> bool:
        """React to nothing but the subject's death."""
        self.check_alive()
        return False

    def _tail(self) -> str:
        lines = self.log()
        return "".join(f"\n  log  {line}" for line in lines) or "\n  log  it printed nothing"


def is_active(check: Json) -> bool:
    """Tell whether an AdmissionCheck is Active."""
    conditions = (check.get("status") or {}).get("conditions", [])
    return any(one["type"] == "Active" and one["status"] == "True" for one in conditions)
