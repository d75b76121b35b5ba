"""How a wrong control plane is written down: what it does instead, which row that breaks, and the scenario
that must catch it.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kueue_conformance.run.parametrization import dialect_of

from .override import Override, wrap

ZOO = Path(__file__).parents[1] / "wrong_planes"
AUTOSCALERS = Path(__file__).parents[1] / "wrong_autoscalers"
INTEGRATIONS = Path(__file__).parents[1] / "wrong_integrations"
_PLANES: dict[tuple[str, str, str], WrongPlane] = {}
"""What modules have written down, by zoo, family and name: a module that is loaded anew, as behind a run of
pytest within a test, takes the place of what it wrote before.
"""
_SAYS = re.compile(
    r"Breaks ([A-Z]+-\d{2,3}): (.+); (?:rule ([A-Z]+-\d{2,3}) in )?([A-Z]{3}-\d{3})(?:\[(.+)\])? (must|should|may) catch it\."
)
_DECIDING = frozenset(
    {"checks", "jobs", "provisioning", "queueing", "queues", "quota", "scheduling", "workload"}
)
"""The packages of the reference that make nothing of what is installed: no definition, no service."""
_WEBHOOKS_TOO = frozenset({"reference_impl.kueue.jobs.families", "reference_impl.kueue.jobs.job"})
"""Modules of such packages by which webhooks answer as well."""
_NEWEST = {ZOO.name: "v0.19", AUTOSCALERS.name: "ca-1.36", INTEGRATIONS.name: "v0.20"}
"""The dialect in which one is judged that names none, by its zoo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPlane:
    """A control plane that is wrong in one thing."""

    name: str
    zoo: str
    family: str
    row: str
    """Which rule of the documents it breaks."""
    wrong: str
    named: str
    """The scenario that catches it."""
    case: str = ""
    """The case of the scenario that catches it, by its id without the dialect; empty where the first does, or
    which one depends on the seed.
    """
    safety: str
    """The safety rule that catches it in that scenario; empty where an assertion does."""
    level: str
    """How binding what catches it is."""
    dialect: str
    overrides: tuple[Override, ...]

    @property
    def changes_clusters(self) -> bool:
        """Whether it may change what a cluster is prepared with before a case:
        all may but those that only decide.
        """
        return self.zoo == AUTOSCALERS.name or not all(map(_decides, self.overrides))

    def wants(self, item: pytest.Item) -> bool:
        """Whether a case of the scenario has to be run: the one that is named, if one is."""
        case = getattr(item, "callspec", None)
        return not self.case or (case is not None and case.id == f"{dialect_of(item)}-{self.case}")

    @contextmanager
    def install(self) -> Iterator[None]:
        """Have the reference be this control plane, in this process."""
        with ExitStack() as exit_stack:
            for override in self.overrides:
                exit_stack.enter_context(override.install())
            yield


def _decides(override: Override) -> bool:
    return override.package in _DECIDING and override.module not in _WEBHOOKS_TOO


def planes() -> list[WrongPlane]:
    """Return all control planes, in the order of the modules."""
    return _of(ZOO)


def autoscalers() -> list[WrongPlane]:
    """Return all autoscalers, in the order of the modules."""
    return _of(AUTOSCALERS)


def integrations() -> list[WrongPlane]:
    """Return all job integrations, in the order of the modules."""
    return _of(INTEGRATIONS)


def _of(zoo: Path) -> list[WrongPlane]:
    for file in sorted(zoo.rglob("[a-z]*.py")):
        importlib.import_module(
            ".." + ".".join(file.relative_to(zoo.parent).with_suffix("").parts), __package__
        )
    return sorted(
        (plane for plane in _PLANES.values() if plane.zoo == zoo.name), key=lambda plane: plane.family
    )


def wrong(*decisions: tuple[Any, str], dialect: str = "") -> Callable[[Any], Any]:
    """Mark a function as what a wrong control plane does in
    place of decisions, each given by its owner and its name.

    The function gets the right decision first, then its arguments. Its docstring says the rest: `Breaks
    AC-285: admits what is undecided; ADM-201 must catch it.`, with a case `…; ADM-201[2-checks-job] must
    catch it.`, or `…; rule AC-273 in ADM-201 must catch it.`
    Raises ValueError for one that does not.
    """

    def mark(function: Any) -> Any:
        return _register(
            function, tuple(Override(*decision, wrap(function)) for decision in decisions), dialect
        )

    return mark


def instead(owner: Any, name: str, value: Any, says: str, *, called: str, dialect: str = "") -> None:
    """Write down a control plane that has another value of a constant; `says` is what a docstring would."""
    module = sys._getframe(1).f_globals["__name__"]
    _note(called, module, says, (Override(owner, name, lambda _: value),), dialect)


def judge_as_integration(decision: Callable[..., Any], says: str) -> None:
    """Write a decision of a wrong control plane down as one of a job integration; `says` is what its
    docstring would say.
    """
    plane = _PLANES[ZOO.name, decision.__module__.rpartition(".")[2], decision.__name__]
    module = sys._getframe(1).f_globals["__name__"]
    _note(decision.__name__, module, says, plane.overrides, "")


def _register(function: Any, overrides: tuple[Override, ...], dialect: str) -> Any:
    _note(function.__name__, function.__module__, function.__doc__ or "", overrides, dialect)
    return function


def _note(name: str, module: str, says: str, overrides: tuple[Override, ...], dialect: str) -> None:
    match = _SAYS.fullmatch(" ".join(says.split()))
    if match is None:
        raise ValueError(f"{name} does not say what it breaks and what catches it: {says!r}")
    row, wrong, safety, scenario, case, level = match.groups()
    _, zoo, *_, family = module.removeprefix(__package__.rpartition(".")[0]).split(".")
    plane = WrongPlane(
        name=name,
        zoo=zoo,
        family=family,
        row=row,
        wrong=wrong,
        named=scenario,
        case=case or "",
        safety=safety or "",
        level=level,
        dialect=dialect or _NEWEST[zoo],
        overrides=overrides,
    )
    former = _PLANES.setdefault((zoo, family, name), plane)
    if (former.row, former.wrong) != (row, wrong):
        raise ValueError(f"{module} has two programs with the name {name}")
    _PLANES[zoo, family, name] = plane
