"""`python: MODULE:CALLABLE`: a function of this process is
called with the `Decision` and the kubeconfig of the harness.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..callables import NotCallable, import_callable
from . import DriverContext, DriverFailed
from .decision import WORDS, Decision


@dataclass(frozen=True, slots=True)
class CallDriver:
    """Calls `function(decision, kubeconfig)`; the folder of the subject file is on the path."""

    module: str
    function: str
    folder: Path

    @property
    def tells(self) -> frozenset[str]:
        """All of them; a decision names one check."""
        return frozenset(WORDS) - {"check"}

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the function are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Call the function in a thread, so that one that hangs does not hang the run."""
        target = self._target()
        trouble: list[Exception] = []

        def work() -> None:
            try:
                target(decision, means.kubeconfig)
            # Any exception of the user's code is the driver's failure.
            except Exception as problem:  # noqa: BLE001
                trouble.append(problem)

        # A thread cannot be killed: a daemon at least does not keep the run from its end.
        thread = threading.Thread(target=work, daemon=True, name="driver")
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            raise DriverFailed(
                f"the driver {self.module}:{self.function} did not return within {seconds:g} s",
                hint="raise timeout in the subject file",
            )
        if trouble:
            raise DriverFailed(
                f"the driver {self.module}:{self.function} raised {type(trouble[0]).__name__}: {trouble[0]}",
                hint="it is called as function(decision, kubeconfig)",
            ) from trouble[0]

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing: only an `undo` of the subject file knows how."""

    def _target(self) -> Callable[[Decision, str], object]:
        try:
            return import_callable(self.module, self.function, self.folder)
        except NotCallable as problem:
            raise DriverFailed(
                f"the driver cannot be called: {problem}",
                hint="check the module and the function after python: in the subject file",
            ) from problem
