"""Which write turned the condition of a clause true: one of Kueue's, or only one of the harness itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from kueue_conformance.case.context import CaseContext, _case_context
from kueue_conformance.history.fact import Condition, Fact, as_fact
from kueue_conformance.history.story import PLAYERS
from kueue_conformance.history.viewpoint import moments
from kueue_conformance.wire.client import ApiError

HARNESS = (*PLAYERS, "job-stand-in")


class Turning:
    """A plugin of pytest that looks back after each fulfilled wait; `actors` are the authors of what
    fulfilled it, by clause and case.
    """

    def __init__(self) -> None:
        self.actors: dict[str, dict[str, str]] = defaultdict(dict)
        self._case = ""
        self._patched: list[tuple[dict[str, Any], Callable[..., Any]]] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Have the modules of the suites wait by way of this."""
        for names in {id(item.module): vars(item.module) for item in items}.values():
            if "within" in names:
                self._patched.append((names, names["within"]))
                names["within"] = self._looking_back(names["within"])

    def pytest_runtest_setup(self, item: Any) -> None:
        """Remember which case runs."""
        self._case = item.name

    def pytest_unconfigure(self) -> None:
        """Have them wait by themselves again."""
        for names, within in self._patched:
            names["within"] = within

    def _looking_back(self, within: Callable[..., Fact]) -> Callable[..., Fact]:
        def look(budget: str, condition: Condition, *, clause: str = "") -> Fact:
            fact = within(budget, condition, clause=clause)
            context = _case_context()
            if clause and (actor := find_turning_actor(context, condition)):
                self.actors[f"{context.scenario}.{clause}"][self._case] = actor
            return fact

        return look

    def by_the_harness_alone(self) -> dict[str, set[str]]:
        """Return the clauses that in no case were fulfilled by anybody else, with who did it."""
        return {
            clause: set(actor.values())
            for clause, actor in self.actors.items()
            if all(actor.startswith(HARNESS) for actor in actor.values())
        }


def find_turning_actor(context: CaseContext, condition: Condition) -> str:
    """Return the author of the change by which a condition became true for the last time; empty where the
    story does not tell.
    """
    is_held, actor = False, ""
    recorder = context.cluster.recorder
    for moment in moments(recorder.changes(), 0, recorder.kinds):
        with context.viewpoint.at(moment):
            holds = _holds(condition)
        if holds and not is_held:
            actor = moment.change.actor
        is_held = holds
    return actor


def _holds(condition: Condition) -> bool:
    """Tell whether it holds; at a moment at which what it reads was not there it does not."""
    try:
        return bool(as_fact(condition))
    except (ApiError, LookupError):
        return False
