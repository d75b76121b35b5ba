"""What a test tells the stand-in for scheduler and kubelet: a pod runs, succeeds or fails now (FK-481)."""

from __future__ import annotations

from collections.abc import Callable

from ..api.steps import Steps
from ..controllers.pods import PodSimulator, Script
from ..controllers.pods.scripts import Phase


class PodControl:
    """The pods of a running cluster; its methods may be called from any thread."""

    def __init__(self, simulator: PodSimulator, finish: Callable[[Steps[None]], None]) -> None:
        self._simulator = simulator
        self._finish = finish

    @property
    def script(self) -> Script:
        """What pods do that bring no script; it may be changed at any time."""
        return self._simulator.script

    @script.setter
    def script(self, script: Script) -> None:
        self._simulator.script = script

    def run(self, namespace: str, name: str) -> None:
        """Let a pod run now, whatever its script says. Raises LookupError when there is no such pod."""
        self.reach(namespace, name, "Running")

    def succeed(self, namespace: str, name: str) -> None:
        """Let a pod succeed now. Raises LookupError when there is no such pod."""
        self.reach(namespace, name, "Succeeded")

    def fail(self, namespace: str, name: str, exit_code: int = 1) -> None:
        """Let a pod fail now. Raises LookupError when there is no such pod."""
        self.reach(namespace, name, "Failed", exit_code)

    def reach(self, namespace: str, name: str, phase: Phase, exit_code: int = 0) -> None:
        """Bring a pod to a phase now.

        Raises LookupError when there is no such pod, StatusError where a webhook refuses.
        """
        self._finish(self._simulator.reach(namespace, name, phase, exit_code))
