"""Which cases and unit tests a mutant is judged by, and which of them go first (N-04)."""

import json
import subprocess
import sys
from dataclasses import asdict

import pytest
from coverage import CoverageData

from kueue_conformance.tests.checkout import ROOT

from .executing import Case, Executed
from .mutants import modules, mutants, path_of
from .recording import UNITS

MODULE = "reference_impl.kueue.workload.triggers"
FUNCTION = "local_queue_of"
TESTS = "reference_impl/tests"


@pytest.fixture(scope="module")
def mutant():
    return next(
        mutant
        for mutant in mutants(MODULE, path_of(MODULE).read_text("utf-8"))
        if mutant.function == FUNCTION
    )


def execution(folder, lines, seconds):
    """Return what is known of unit tests that execute these lines and took so long, by their node ids."""
    data = CoverageData(str(folder / f"coverage.{UNITS}"))
    for node, numbers in lines.items():
        data.set_context(node)
        data.add_lines({str(path_of(MODULE)): numbers})
    data.write()
    cases = [
        Case(
            node=node,
            scenario=node.partition("::")[0],
            level="unit",
            dialect="",
            seconds=seconds.get(node, 0.1),
            lines=1,
        )
        for node in lines
    ]
    (folder / f"{UNITS}.json").write_text(json.dumps([asdict(case) for case in cases]))
    return Executed(folder, UNITS)


def test_unit_tests_of_a_module_go_first_then_those_of_its_package_and_of_each_the_quick_ones(
    tmp_path, mutant
):
    at = [mutant.start[0]]
    own, package, other = (
        f"{TESTS}/workload/test_triggers.py",
        f"{TESTS}/workload/test_timeouts.py",
        f"{TESTS}/jobs/test_stopping.py",
    )
    lines = {
        f"{other}::a": at,
        f"{package}::b": at,
        f"{own}::slow": at,
        f"{own}::quick": at,
        f"{own}::beside": [1],
    }
    seconds = {f"{own}::slow": 2.0, f"{own}::quick": 0.01}

    nodes = [case_.node for case_ in execution(tmp_path, lines, seconds).testing(mutant)]

    assert nodes == [f"{own}::quick", f"{own}::slow", f"{package}::b", f"{other}::a"]


def test_nothing_that_decides_is_imported_before_coverage_begins():
    text = "import sys, kueue_conformance.tests.mutation.recording; print(*sys.modules)"
    names = subprocess.run(
        [sys.executable, "-c", text], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout.split()

    assert not {*modules()} & {*names}
