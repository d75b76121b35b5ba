"""Running scenarios against one controller, in this process: its start takes longer than most of them."""

import contextlib
import io
from pathlib import Path

import pytest

from kueue_conformance.catalogue.inventory import inventory, module_of
from kueue_conformance.errors import SubjectDied
from kueue_conformance.public_fixtures import scenario_of

from . import inner
from .mutants import NAME, ZOO

ROOT = Path(__file__).parents[3]
SUITE = ROOT / "suites/check_controller"
RIGHT = "python:kueue_conformance.tests.zoo.right:CheckController.serve"


class Verdicts:
    """Collects which scenarios failed, which ran, and which of several permitted behaviours they saw."""

    def __init__(self):
        self.scenarios, self.failed, self.ran = {}, set(), set()
        self.codes, self.texts, self.ways = {}, {}, {}

    def pytest_collection_modifyitems(self, items):
        self.scenarios = {item.nodeid: scenario_of(item).id for item in items}

    def pytest_runtest_setup(self, item):
        if self.scenarios[item.nodeid] in self.failed:
            pytest.skip("another case of it has failed, and shows the same")

    def pytest_runtest_logreport(self, report):
        scenario = self.scenarios[report.nodeid]
        if report.failed:
            self.failed.add(scenario)
            note = getattr(report, "kueue", {})
            self.texts[scenario] = note.get("text", "")
            self.codes.setdefault(scenario, set()).add(note.get("clause") or note.get("code", ""))
        if report.when == "call" and not report.skipped:
            self.ran.add(scenario)
            self.ways.setdefault(scenario, set()).update(getattr(report, "kueue", {}).get("seen", {}).items())


JUDGED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, SubjectDied.exit_code)
"""What a run ends with that tells something of the subject: to die is wrong as well."""
EXPENSIVE = ("CHK-073", "CHK-141", "CHK-160")
"""With 100 Workloads and more they take longer than all others together: run against those that are named for
them.
"""


def judge(subject, select=(), exclude=(), **more):
    """Run scenarios (all of the profile unless some are named) against a subject; return those that failed
    and those that ran.

    A scenario that is named alone fails with its first case: the others would show the same again. `more` are
    options of the suite. Raises RuntimeError when nothing could be run, or when the one scenario ended in an
    error, which shows nothing of the subject.
    """
    seen = Verdicts()
    alone = len(select) == 1
    where = {module_of(inventory()[one]) for one in select} or {SUITE}
    options = {
        "subject-file": ZOO / ("right.yaml" if subject == RIGHT else "wrong.yaml"),
        "subject": subject,
        "controller-name": NAME,
        "seed": 7,
        "select": ",".join(select),
        "exclude": ",".join(exclude),
        **more,
    }
    arguments = [
        *sorted(map(str, where)), *(f"--kueue-{key}={value}" for key, value in options.items()), *(["-x"] if alone else []),
    ]  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = inner.run(arguments, (seen,), select)
    if code not in JUDGED and (alone or not seen.ran | seen.failed):
        raise RuntimeError(f"the scenarios cannot be run against {subject}: {code!r}\n{output.getvalue()}")
    return sorted(seen.failed), sorted(seen.ran)


def judged(mutant, select=(), exclude=(), seed=7):
    """Run scenarios against a wrong controller, the right one for None."""
    return judge(mutant.subject if mutant else RIGHT, select, exclude, seed=seed)
