"""Running scenarios against one controller, in this process: its start takes longer than most of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from kueue_conformance.catalogue.inventory import inventory, module_of

from .collected import collection
from .mutants import NAME, ZOO

ROOT = Path(__file__).parents[3]
SUITE = ROOT / "suites/check_controller"
CLASSES = "python:kueue_conformance.tests.zoo."
RIGHT = f"{CLASSES}right:CheckController.serve"


class Verdicts:
    """Collects which scenarios failed, which ran, and which of several permitted behaviours they saw."""

    def __init__(self):
        self.scenarios, self.failed, self.ran = {}, set(), set()
        self.codes, self.texts, self.ways = {}, {}, {}

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


EXPENSIVE = ("CHK-073", "CHK-141", "CHK-160")
"""With 100 Workloads and more they take longer than all others together:
run against those that are named for them.
"""


def judge(subject, select=(), exclude=(), seed=7, **further_options):
    """Run scenarios (all of the profile unless some are named) against a subject; return those that failed
    and those that ran.

    A scenario that is named alone fails with its first case: the others would show the same again. `more` are
    options of the suite. Raises RuntimeError when nothing could be run, or when nothing failed and a case
    ended in an error, which shows nothing of the subject.
    """
    verdicts = Verdicts()
    of_the_zoo = subject.startswith(CLASSES)
    profiles = sorted({inventory()[name].profile for name in select}, key=lambda profile: profile.name)
    suites = {ROOT / "suites" / profile.folder for profile in profiles} or {SUITE}
    where = suites if of_the_zoo else {module_of(inventory()[name]) for name in select}
    options = {
        "subject-file": ZOO / ("right.yaml" if subject == RIGHT else "wrong.yaml"),
        **({} if of_the_zoo else {"subject": subject}),
        "controller-name": NAME,
        "profile": ",".join(profile.name for profile in profiles) or "CHECK-CONTROLLER",
        **further_options,
    }
    cases = collection(
        *sorted(map(str, where)), *(f"--kueue-{key}={value}" for key, value in options.items())
    )
    verdicts.scenarios, declared = cases.scenarios, cases.settings.subject
    cases.run(
        [test_item for test_item in cases.of(select) if cases.scenarios[test_item.nodeid] not in exclude],
        (verdicts,),
        prepare_anew=False,
        enough=lambda: len(select) == 1 and bool(verdicts.failed),
        seed=seed,
        subject=replace(declared, connect=subject) if of_the_zoo else declared,
    )
    if not verdicts.ran | verdicts.failed:
        raise RuntimeError(f"no scenario of {', '.join(select) or SUITE.name} could be run against {subject}")
    return sorted(verdicts.failed), sorted(verdicts.ran)


def judge_mutant(mutant, select=(), exclude=(), seed=7):
    """Run scenarios against a wrong controller, the right one for None."""
    return judge(mutant.subject if mutant else RIGHT, select, exclude, seed=seed)
