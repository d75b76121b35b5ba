"""`python: MODULE:CALLABLE`: a function of this process is
called with the `Decision` and the kubeconfig of the harness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..bounded_call import TimeLimitExceeded, call_within
from ..callables import NotCallable, import_callable
from . import DriverContext, DriverFailed
from .decision import WORDS, Decision


@dataclass(frozen=True, slots=True)
class CallDriver:
    """Calls `function(decision, kubeconfig)`; the folder of the subject file is on the path."""

    module: str
    function: str
    folder: Path
    needs_workload = False

    @property
    def tells(self) -> frozenset[str]:
        """All of them; a decision names one check."""
        return frozenset(WORDS) - {"check"}

    @property
    def mentions(self) -> frozenset[str]:
        """Those that its code reads of the decision: a function may ignore what it gets."""
        try:
            code = getattr(self._target(), "__code__", None)
        except DriverFailed:
            return frozenset()
        return frozenset(WORDS) & frozenset(code.co_names if code else ()) - {"check"}

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the function are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Call the function in a thread, so that one that hangs does not hang the run."""
        target, name = self._target(), f"the driver {self.module}:{self.function}"
        try:
            call_within(seconds, lambda: target(decision, means.kubeconfig))
        except TimeLimitExceeded as problem:
            raise DriverFailed(
                f"{name} did not return within {seconds:g} s", hint="raise timeout in the subject file"
            ) from problem
        # Any exception of the user's code is the driver's failure.
        except Exception as problem:
            raise DriverFailed(
                f"{name} raised {type(problem).__name__}: {problem}",
                hint="it is called as function(decision, kubeconfig)",
            ) from problem

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
