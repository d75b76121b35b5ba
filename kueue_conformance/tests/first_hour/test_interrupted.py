"""A run that was interrupted says so in every form of its report, in words and as its result, and ends when
it is asked to again.
"""

import json
import os
import signal
import subprocess
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import yaml

from kueue_conformance import plugin
from kueue_conformance.base.errors import CUT_SHORT, EnvironmentProblem
from kueue_conformance.options import read
from kueue_conformance.report.afterwards.check import problems
from kueue_conformance.report.formats import badge, junit, markdown, yaml_file
from kueue_conformance.report.page import html
from kueue_conformance.run import Run
from kueue_conformance.scenarios.outcome import Outcome, verdict
from kueue_conformance.session.fixtures import RUN
from kueue_conformance.session.interruption import Interruption

from ..command_line.processes import COMMAND, environment
from ..reporting.results import FAILED, PASSED, report

HALF = report(PASSED, complete=False)
FORMS = {
    "report.yaml": (yaml_file.render, "result: incomplete"),
    "summary.md": (markdown.render, "| ADMISSION | **incomplete** |"),
    "report.html": (html.render, '>ADMISSION: <span class="incomplete">incomplete</span>'),
    "junit.xml": (junit.render, 'name="incomplete"'),
    "badge.json": (badge.render, "incomplete"),
}


@pytest.mark.parametrize(("render", "word"), FORMS.values(), ids=FORMS)
def test_every_form_says_incomplete_and_none_success(render, word):
    text = render(HALF).partition("</style>")[2] or render(HALF)

    assert (word in text, "success" in text) == (True, False)
    assert word not in render(report(PASSED))


@pytest.mark.parametrize("render", [markdown.render, html.render], ids=["summary.md", "report.html"])
def test_it_is_said_in_words(render):
    assert "INCOMPLETE: the run ended before every case was judged" in render(HALF)


def test_what_failed_has_failed_all_the_same():
    assert verdict([Outcome.PASSED, Outcome.FAILED], complete=False) == "failure"
    assert "INCOMPLETE" in markdown.render(report(FAILED, complete=False))


def test_a_report_that_says_success_of_an_interrupted_run_is_refused():
    document = json.loads(json.dumps(HALF.to_dict()))
    assert problems(document) == []
    document["profiles"][0]["result"] = "success"

    assert problems(document) == ["profile ADMISSION: says success, its scenarios amount to incomplete"]


LEFT = {
    "fake": ("fake", "nothing is left: subject, servers and temporary folders end with the run"),
    "somebody's": (
        "kubeconfig:a.yaml@here",
        "objects of this run may be left: `kueue-conformance cleanup --kubeconfig a.yaml --context here --run ",
    ),
    "kind": ("kind", "its cluster is being deleted; `kueue-conformance cleanup` says whether one is left"),
}


@pytest.mark.parametrize(("backend", "summary"), LEFT.values(), ids=LEFT)
def test_the_second_interruption_ends_the_run_and_says_what_is_left(tmp_path, monkeypatch, backend, summary):
    codes = []
    monkeypatch.setattr(os, "_exit", codes.append)
    with (tmp_path / "told").open("wb+") as out:
        run = Run(read({"backend": backend, "control-plane": "reference"}, seed=1))
        answer = Interruption(run, out.fileno(), iter([0.0, 0.5, 1.5]).__next__)
        with pytest.raises(KeyboardInterrupt):
            answer(signal.SIGINT, None)
        answer(signal.SIGINT, None)
        assert codes == []
        answer(signal.SIGINT, None)
    output = (tmp_path / "told").read_text()

    assert (codes, summary in output) == ([CUT_SHORT], True)


def test_an_interruption_does_not_disturb_what_pytest_does_at_the_end(tmp_path):
    with (tmp_path / "told").open("wb+") as out:
        run = Run(read({"control-plane": "reference"}, seed=1))
        answer = Interruption(run, out.fileno())
        ending = answer.pytest_sessionfinish()
        next(ending)
        answer(signal.SIGINT, None)

    assert "the report of what was judged is being written" in (tmp_path / "told").read_text()


@pytest.mark.slow
def test_a_run_that_is_interrupted_twice_ends_without_a_traceback(tmp_path):
    command = [*COMMAND, "run", "-n", "0", "--dialect", "all"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        output = [next(line for line in process.stdout if "items" in line or "cases" in line)]
        process.send_signal(signal.SIGINT)
        output += [next(line for line in process.stdout if "interrupted" in line)]
        process.send_signal(signal.SIGINT)
        output += process.stdout
    text = "".join(output)

    assert (process.returncode, "Traceback" in text, "Error" in text) == (2, False, False), text


def test_an_interruption_of_the_export_of_logs_hides_no_problem():
    problem = EnvironmentProblem("no cluster", hint="make one")
    run = SimpleNamespace(
        settings=SimpleNamespace(backend="kind"),
        check_feature_gates=Mock(),
        begin=Mock(side_effect=problem),
        save_failure_logs=Mock(side_effect=KeyboardInterrupt),
    )
    config = SimpleNamespace(
        stash={RUN: run},
        option=SimpleNamespace(collectonly=False),
        pluginmanager=SimpleNamespace(get_plugin=lambda _: None),
    )

    with pytest.raises(BaseException, match="no cluster") as ended:
        plugin.pytest_sessionstart(SimpleNamespace(config=config))

    assert ended.value.returncode == problem.exit_code


@pytest.mark.slow
def test_a_run_that_is_interrupted_writes_an_incomplete_report(tmp_path):
    command = [*COMMAND, "run", "-n", "0", "--dialect", "all"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        next(line for line in process.stdout if "of " in line and "cases" in line)
        process.send_signal(signal.SIGINT)
        output = process.stdout.read()
    document = yaml.safe_load((tmp_path / "conformance-report/report.yaml").read_text())

    assert (process.returncode, document["complete"]) == (2, False)
    assert {profile["result"] for profile in document["profiles"]} == {"incomplete"}
    assert "INCOMPLETE" in output
