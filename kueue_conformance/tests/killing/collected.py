"""Scenarios that are collected once in this process and run many times: to start pytest and
to collect a case takes longer than to run it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import replace
from functools import lru_cache
from io import StringIO
from typing import Any

import pytest
from _pytest.config import _prepareconfig

from kueue_conformance.report.writing import DEATHS
from kueue_conformance.run import Run
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.session.fixtures import RUN, scenario_of

from . import inner, own_errors
from .frame_room import with_room

_OPEN = "--capture=no"
"""It lives beside the pytest outside, whose output it is not to capture."""
_REMEMBERED = 16
"""Collections of one process: a profile in a dialect takes some megabytes."""


class Collection:
    """A configured pytest and the cases that it has collected."""

    def __init__(self, arguments: Sequence[str]) -> None:
        with redirect_stdout(StringIO()), inner.apart():
            config = self._config = _prepareconfig([*inner.ARGUMENTS, _OPEN, *arguments])
            config._do_configure()
            session = pytest.Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            self.items = session.perform_collect()
        if session.testsfailed:
            raise RuntimeError(f"the scenarios of {' '.join(arguments)} cannot be collected")
        config.pluginmanager.unregister(name="kueue-conformance-report")
        self.scenarios = {item.nodeid: scenario_of(item).id for item in self.items}
        """The scenario of each case, by its node id."""
        self.settings, self._backend = config.stash[RUN].settings, config.stash[RUN].backend

    def of(self, select: Sequence[str]) -> list[pytest.Item]:
        """Return the cases of some scenarios, of all unless some are named."""
        scenario_ids = frozenset(select)
        return [
            item for item in self.items if not scenario_ids or self.scenarios[item.nodeid] in scenario_ids
        ]

    def run(
        self,
        items: Sequence[pytest.Item],
        plugins: Sequence[Any],
        *,
        prepare_anew: bool,
        enough: Callable[[], bool],
        **changes: Any,
    ) -> None:
        """Run cases until it is `enough`, on forks of prepared clusters: made for this run with
        `prepare_anew`, else those of all such runs. `changes` are settings that change neither which cases
        there are nor what a cluster is prepared with.

        Raises RuntimeError when a case ends in an error and none fails, or when what is judged breaks for
        a name that is not there any more.
        """
        ended = Ended()
        run = self._config.stash[RUN] = Run(replace(self.settings, **changes))
        with ExitStack() as exit_stack, redirect_stdout(StringIO()):
            exit_stack.callback(run.close)
            if not prepare_anew:
                run._backend = self._backend
                exit_stack.callback(
                    setattr, run, "_backend", None
                )  # before the run is closed: the next has it too
            for plugin in (ended, *plugins):
                self._config.pluginmanager.register(plugin)
                exit_stack.callback(self._config.pluginmanager.unregister, plugin)
            with_room(lambda: _run_each(items, enough))
        if ended.broken or (ended.errors and not ended.failed):
            raise RuntimeError("\n".join([*ended.broken, *ended.errors]))


def _run_each(items: Sequence[pytest.Item], enough: Callable[[], bool]) -> None:
    for item in items:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if enough():
            return


class Ended:
    """A plugin that notes whether a case fails, and the texts of those that end in an error; a subject that
    dies is wrong, and fails.
    """

    def __init__(self) -> None:
        self.failed = False
        self.errors: list[str] = []
        self.broken: list[str] = []
        """Errors of a rename's kind of those that died: they call what is not there any more."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Look at the note of a case."""
        note = getattr(
            report, "kueue", {"outcome": Outcome.ERROR if report.failed else "", "id": report.nodeid}
        )
        died = note.get("code") in DEATHS
        self.failed = self.failed or note["outcome"] == Outcome.FAILED or died
        if died or note["outcome"] == Outcome.ERROR:
            self.broken += [
                f"{note['id']} breaks instead of deciding wrongly: {error}"
                for error in own_errors.find_in_text(note.get("text") or "")
            ]
        if note["outcome"] == Outcome.ERROR and not died:
            self.errors.append(f"{note['id']} ends in an error: {note.get('text') or report.longreprtext}")


@lru_cache(_REMEMBERED)
def collection(*arguments: str) -> Collection:
    """Return the cases that these arguments of pytest collect. Raises RuntimeError."""
    return Collection(arguments)
