"""A canary of a subject whose outside system decides about every Workload at once, like a switch or an alert.

Nothing can be decided about the canary alone: a decision for it would be one about the Workloads of the case.
So it gets the decision that holds, and shows that the subject has learnt of that.
"""

from __future__ import annotations

import time

from ...base.slowdown import MOST_TIMES, measure_slowdown
from ..checks.check import Check
from ..workloads.workload import Workload
from .canary import Canary

_VERDICTS = ("Ready", "Retry", "Rejected")


class SharedCanary(Canary):
    """Makes Workloads until the subject treats one by the decision that holds for all."""

    def _await_reaction(self, check: Check) -> None:
        state = self._subject.common_state
        began, budget = time.monotonic(), self._context.budgets.seconds("react")
        while not self._follows(state, check):
            waited_seconds = time.monotonic() - began
            # Measured only when the budget of an idle machine is over.
            if waited_seconds > budget and waited_seconds > budget * min(measure_slowdown(), MOST_TIMES):
                # That it decides although the outside system does not is for the scenario to judge.
                return

    def _follows(self, state: str, check: Check) -> bool:
        """Make a Workload and tell whether the subject treats it by a state of the outside system.

        Raises Nonconformance when the subject has gone silent.
        """
        workload = self._new_workload()
        self._kueue.precheck_for(workload, check)
        if state == "Pending":
            return self._stays_undecided(workload, check)
        # Nothing has been decided, and the system may be in any state: any verdict shows that it reads.
        following = [state] if state else _VERDICTS
        began = time.monotonic()
        self._context.cluster.wait(
            lambda: bool(workload.had_verdict(check, *_VERDICTS)),
            self._context.budgets.seconds("react"),
            self._context.react,
        )
        if not workload.had_verdict(check, *_VERDICTS):
            if self._subject.canary_check() is None:
                return True  # what it listed cannot be used any more
            raise self._silence(workload, workload.has_states(state, check).observed)
        if workload.had_verdict(check, *following):
            self._reactions.append(time.monotonic() - began)
            return True
        # It has not learnt of the newest decision. Another Workload is made when it may have.
        self._context.cluster.rest(self._context.budgets.seconds("quiet"), self._context.react)
        return bool(workload.had_verdict(check, *following))

    def _stays_undecided(self, workload: Workload, check: Check) -> bool:
        """Tell whether a Workload has no verdict after a while: nothing else shows that none is to come."""
        self._rest()
        return not workload.had_verdict(check, *_VERDICTS)
