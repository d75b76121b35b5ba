"""A subject at work on one cluster: started, ready when its own check is Active, watched, ended (harness/H-03, H-43)."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, TypeAlias

from ..backends import Cluster
from ..budget import Budgets
from ..client import Client
from ..errors import SubjectDied
from . import Connector, SubjectContext
from .declaration import Declaration
from .verdicts import Verdicts, VerdictServer

Json: TypeAlias = Any
_POLL = 0.02


class RunningSubject:
    """Started by `start`, which returns when the subject is ready."""

    def __init__(self, declaration: Declaration, connector: Connector, budgets: Budgets) -> None:
        self.controller_name = declaration.controller_name
        self.verdicts = Verdicts()
        self._connector = connector
        self._budgets = budgets
        self._folder = TemporaryDirectory(prefix="kueue-conformance-subject-")
        self._server = VerdictServer(self.verdicts)
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
        self._handle = self._connector.start(self._context)
        self._until_ready(Client(cluster.transport, agent="kueue-conformance/1 ready-probe"))

    def check_alive(self) -> None:
        """Raise SubjectDied, with the newest lines of its log, when the subject has ended by itself."""
        ended = self._handle.ended() if self._handle else "it was never started"
        if ended:
            raise SubjectDied(f"the subject died: {ended}{self._tail()}", hint="run it by hand to see why")

    def log(self) -> list[str]:
        """Return the newest lines that the subject printed."""
        return list(self._handle.log()) if self._handle else []

    def stop(self) -> None:
        """End the subject and the verdicts."""
        if self._handle is not None:
            self._handle.stop(self._budgets.seconds("stop"))
            self._handle = None
        self._server.stop()
        self._folder.cleanup()

    def _until_ready(self, client: Client) -> None:
        name = f"ready-probe-{secrets.token_hex(3)}"
        spec = {"controllerName": self.controller_name}
        client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})
        budget = self._budgets.seconds("connect" if self._connector.alone else "start")
        deadline = time.monotonic() + budget
        try:
            while not is_active(client.get("AdmissionCheck", name)):
                self.check_alive()
                if time.monotonic() > deadline:
                    raise SubjectDied(
                        f"the subject was not ready: no AdmissionCheck with controllerName {self.controller_name!r} "
                        f"became Active within {budget:g} s{self._tail()}",
                        hint="does it read KUBECONFIG, and is --controller-name the name it answers for?",
                    )
                _pause()
        finally:
            client.clean_up()

    def _tail(self) -> str:
        lines = self.log()
        return "".join(f"\n  log  {line}" for line in lines) or "\n  log  it printed nothing"


def is_active(check: Json) -> bool:
    """Tell whether an AdmissionCheck is Active."""
    conditions = (check.get("status") or {}).get("conditions", [])
    return any(one["type"] == "Active" and one["status"] == "True" for one in conditions)


def _pause() -> None:
    """Let a foreign process work: it gives no signal that could be waited for."""
    Event().wait(_POLL)
