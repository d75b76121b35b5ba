"""`smoke` of a job integration: a wrongly wired one is told which step fails, and what to look at (H-03)."""

import shutil
import sys

import pytest
import yaml

from kueue_conformance.tests.checkout import ROOT

from .processes import run

EXAMPLE = ROOT / "examples/job_integrations/python"
STEPS = [
    "the API server answers",
    "Kueue's kinds are served",
    "the subject starts",
    "a Training with a queue has a Workload, which gets quota",
    "the Training starts when its Workload is Admitted",
    "an evicted Training is stopped, and gives its quota back without pods",
    "the subject ends when it is asked to",
]
PROGRAM = """
import integration


class Wrong(integration.TrainingIntegration):
    def {method}(self, *args, **fields):
        pass


integration.TrainingIntegration = Wrong
integration.main()
"""


def smoke(folder, program):
    """Run the smoke test on the example, started as this program; return how it ended."""
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    subject = yaml.safe_load((folder / "subject.yaml").read_text("utf-8"))
    subject["connect"] = f"process:{sys.executable} {program}"
    (folder / "subject.yaml").write_text(yaml.safe_dump(subject), "utf-8")
    return run("smoke", "--subject-file", "subject.yaml", "--timeout-scale", "0.2", cwd=folder)


def good(passed):
    return [f"ok     {number}/7  {text}" for number, text in enumerate(STEPS[:passed], 1)]


@pytest.mark.slow
def test_a_well_wired_integration_passes_and_is_told_how_to_go_on(tmp_path):
    done = smoke(tmp_path, "integration.py")

    *steps, how_to_go_on = [line for line in done.out.splitlines() if line]
    assert (done.code, steps) == (0, good(7)), done.whole
    assert how_to_go_on.endswith(
        'judge it with: kueue-conformance run --subject-file "subject.yaml" --timeout-scale "0.2"'
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "passed", "problem", "hint"),
    [
        pytest.param(
            "create",
            3,
            "has one Workload: not within",
            "make a Workload that the job controls",
            id="makes no Workload",
        ),
        pytest.param(
            "start", 4, "is not suspended: not within", "set spec.suspend to false", id="never starts"
        ),
        pytest.param("release", 5, "no Workload of", "see job.status.stopped", id="holds quota"),
    ],
)
def test_a_wrongly_wired_one_is_told_what_to_look_at(tmp_path, method, passed, problem, hint):
    (tmp_path / "wrong.py").write_text(PROGRAM.format(method=method), "utf-8")

    done = smoke(tmp_path, "wrong.py")

    lines = [line for line in done.out.splitlines() if line]
    assert (done.code, lines) == (7, [*good(passed), f"FAILED {passed + 1}/7  {STEPS[passed]}"]), done.whole
    assert problem in done.whole
    assert hint in done.whole
