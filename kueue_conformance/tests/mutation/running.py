"""Running cases that judge control planes in this process, again and again: where they are collected, and
what a failure of one says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kueue_conformance.plugin import JUDGED
from kueue_conformance.session.fixtures import scenario_of
from kueue_conformance.tests.checkout import ROOT

LEVELS = ("must", "should", "may")
PROFILES = {
    "ADMISSION": "admission",
    "QUEUEING": "queueing",
    "VISIBILITY": "visibility",
    "KUEUE-RECORDED": "kueue_recorded",
}
"""The profiles that judge a control plane, with their folders in suites/."""
SEED = 7
UNIT_OPTIONS = [
    "-c",
    str(ROOT / "pyproject.toml"),
    "--rootdir",
    str(ROOT),
    "-q",
    "-n",
    "0",
    "--timeout=0",
    "-p",
    "no:cacheprovider",
    "-W",
    "default",
]
"""How unit tests are run in this process."""


class Session:
    """A plugin: hands the collected cases over in place of
    pytest's loop, and notes at which level a case fails.
    """

    def __init__(self, loop: Callable[[Session, dict[str, pytest.Item]], None]) -> None:
        self._loop = loop
        self.failed_at = ""
        """The most binding level at which the last case failed; empty when it passed."""
        self.seconds = 0.0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise RuntimeError("the scenarios cannot be collected")
        self._loop(self, {item.nodeid: item for item in session.items})
        return True

    def run(self, item: pytest.Item) -> str:
        """Run a case and return the level at which it failed, empty when it did not."""
        self.failed_at, self.seconds, self._item = "", 0.0, item
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return self.failed_at

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds += report.duration
        if report.failed:
            self.failed_at = min(self.failed_at or LEVELS[-1], self._level(report), key=LEVELS.index)

    def _level(self, report: pytest.TestReport) -> str:
        """Return the level of the safety rules where they failed the case, of its scenario otherwise."""
        judged, codes = (
            self._item.stash.get(JUDGED, None),
            getattr(report, "kueue", {}).get("code", "").split(", "),
        )
        broken = [
            str(violation.level)
            for violation in (judged.broken or () if judged else ())
            if violation.rule in codes
        ]
        scenario = scenario_of(self._item)
        return min(broken, key=LEVELS.index) if broken else str(scenario.level)


def collect(
    loop: Callable[[Session, dict[str, pytest.Item]], None],
    dialect: str,
    cases: str = "shared",
    profiles: Mapping[str, str] = PROFILES,
) -> None:
    """Collect the profiles in a dialect, or in `all`, and hand the cases to a function, by their node id.
    Raises RuntimeError when that cannot be.

    `cases` says by which of them the older dialects are judged.
    """
    options = {"profile": ",".join(profiles), "dialect": dialect, "cases": cases, "seed": SEED}
    folders = [str(ROOT / "suites" / profile) for profile in profiles.values()]
    arguments = [
        "-c",
        str(ROOT / "kueue_conformance/data/pytest.ini"),
        "--rootdir",
        str(ROOT / "suites"),
        *folders,
        "--assert=plain",
        "--tb=no",
        "-q",
        "-n",
        "0",
        "--timeout=0",
        "--kueue-strict",
        "-p",
        "no:faulthandler",
        "-p",
        "no:unraisableexception",
        "-p",
        "no:threadexception",
        *(f"--kueue-{key}={value}" for key, value in options.items()),
    ]
    code: Any = pytest.main(arguments, plugins=[Session(loop)])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        raise RuntimeError(f"the scenarios cannot be run: {code!r}")
