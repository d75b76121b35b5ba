"""Which scenarios could see a control plane that is wrong in everything:
those in whose stories the right one decides otherwise.

`python -m kueue_conformance.tests.killing.seeing` runs every scenario against the reference, looks on, and
writes `could-see.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from kueue_conformance.session.fixtures import scenario_of
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.scheduling.scheduler import Scheduler
from reference_impl.kueue.workload import admitted, verdicts
from reference_impl.kueue.workload import conditions as c

from .judging_planes import run
from .override import Override

FILE = Path(__file__).with_name("could-see.yaml")
ENOUGH = 0.6
"""So large a part of the scenarios that could see it has to fail."""


def _is_undecided(_: Any, draft: Any, *__: Any) -> bool:
    """Tell whether quota is held and some check has not passed: the decision of a control plane that ignores
    checks is another one.
    """
    return draft.is_true(c.QUOTA_RESERVED) and not Checks.of(draft.status).are_all_ready


def _has_passed(_: Any, draft: Any, *__: Any) -> bool:
    """Tell whether quota is held and every check has passed."""
    checks = Checks.of(draft.status)
    return draft.is_true(c.QUOTA_RESERVED) and bool(checks.entries) and checks.are_all_ready


def _decides(decision: Any, *_: Any) -> bool:
    return decision is not None


def _always(*_: Any) -> bool:
    return True


Looks = Callable[..., bool]
OTHERWISE: dict[str, tuple[tuple[Any, str, Looks], ...]] = {
    "reserves_nothing": ((Scheduler, "_reserve", _always),),
    "hears_no_verdict": (
        (admitted, "sync", _has_passed),
        (verdicts, "mark_rejected", _decides),
        (verdicts, "evict_retried", _decides),
    ),
    "admits_whatever_checks_say": ((admitted, "sync", _is_undecided),),
}
"""The decisions by which each of them differs from the right one, and what tells that it would: from the
right answer and the arguments.
"""


def scenarios_that_could_see() -> dict[str, list[str]]:
    """Return the scenarios that could see each of them, as `could-see.yaml` has them."""
    return dict(yaml.safe_load(FILE.read_text()))


def could_see(select: Sequence[str] = ()) -> dict[str, list[str]]:
    """Run scenarios (all unless some are named) against the reference, and return those that could see each.
    Raises RuntimeError when one fails.
    """
    observed = Seen()
    with ExitStack() as exit_stack:
        for plane, decisions in OTHERWISE.items():
            for owner, name, differs in decisions:
                exit_stack.enter_context(Override(owner, name, observed.looking(plane, differs)).install())
        verdict = run(None, select, plugins=(observed,))
    if verdict.failed:
        raise RuntimeError(f"the reference fails {', '.join(sorted(verdict.failed))}")
    return {plane: sorted(scenarios) for plane, scenarios in observed.scenarios.items()}


class Seen:
    """A plugin of pytest that notes in which scenarios a decision
    was asked for that a wrong control plane takes otherwise.
    """

    def __init__(self) -> None:
        self.scenarios: dict[str, set[str]] = {plane: set() for plane in OTHERWISE}
        self._scenario = ""

    def pytest_runtest_setup(self, item: Any) -> None:
        """Remember which scenario runs."""
        self._scenario = scenario_of(item).id

    def pytest_runtest_teardown(self) -> None:
        """Note nothing between two scenarios."""
        self._scenario = ""

    def looking(self, plane: str, differs: Looks) -> Callable[[Any], Any]:
        """Return a maker of the right decision with a note of where it differs."""

        def make(right: Any) -> Any:
            def decides(*args: Any, **kwargs: Any) -> Any:
                answer = right(*args, **kwargs)
                if self._scenario and differs(answer, *args):
                    self.scenarios[plane].add(self._scenario)
                return answer

            return decides

        return make


if __name__ == "__main__":
    head = "# Made by `python -m kueue_conformance.tests.killing.seeing`: the scenarios that could see each control plane that is wrong in everything.\n"
    FILE.write_text(head + yaml.safe_dump(could_see(), width=130, default_flow_style=None))
