"""Several processes explore: seeds of their own, one report, and an end together."""

import os
import re
import signal
from contextlib import contextmanager
from itertools import count

import pytest

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.cli.exploration_run import ExploreOptions, Limit, explore_until
from kueue_conformance.cli.exploration_workers import Workers
from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.exploration import ExploredProgram
from kueue_conformance.exploration.findings import Identity, read_finding
from kueue_conformance.exploration.story import END_STATE, Breach, RunResult

# A process of pytest has threads, which a newer Python warns of at a fork; the command has none then.
pytestmark = [pytest.mark.timeout(120), pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")]
HERE = os.getpid()
BREACH = RunResult(breach=Breach(cause=END_STATE, text="  observed   it is Pending"))


def program(run):
    return ExploredProgram(
        run=run,
        draw=lambda seed: draw_story(seed, DrawingLimits()),
        plan=lambda *_: (),
        identity=Identity(dialect="v0.20"),
    )


def explore(run, out, runs, prepare=lambda: None):
    @contextmanager
    def exploring(announce):
        announce("it is running")
        prepare()
        yield program(run)

    options = ExploreOptions(limit=Limit(0, runs), out=out, tries=0, workers=2)
    return explore_until(exploring, options, seed=1)


def is_first():
    return os.getpid() == HERE


def test_each_has_seeds_of_its_own():
    workers = Workers(3, lambda runs: runs > 0, seed=1, tries=0)

    shares = [workers.share(index, program(lambda *_, **__: BREACH)) for index in range(3)]

    assert [(share.seed, share.step) for share in shares] == [(1, 3), (2, 3), (3, 3)]


def test_what_the_other_one_finds_is_told(tmp_path, capsys):
    code = explore(lambda *_, **__: RunResult() if is_first() else BREACH, tmp_path, 400)

    out, err = capsys.readouterr()
    assert code == 1
    assert [read_finding(file).seed for file in sorted(tmp_path.glob("*.yaml"))] == [2]
    assert "found 1 time(s)" not in out
    assert "1 finding(s); seed 1" in out
    assert err.count("it is running") == 1


def test_a_cause_that_both_find_is_told_once(tmp_path, capsys):
    code = explore(lambda *_, **__: BREACH, tmp_path, 400)

    assert code == 1
    assert len(list(tmp_path.glob("*.yaml"))) == 1
    out = capsys.readouterr().out
    assert out.count("end-state  (3 of 3") == 1
    assert re.search(r"found \d+ time\(s\): end-state \(seed 1, 2, ", out)


def test_an_interruption_ends_both(tmp_path, capsys):
    def run(*_, **__):
        if is_first():
            raise KeyboardInterrupt
        return RunResult()

    code = explore(run, tmp_path, 10**9)

    assert code == 2
    assert "0 finding(s); seed 1" in capsys.readouterr().out


def test_one_that_is_killed_is_told_with_its_signal_and_what_it_had(tmp_path, capsys):
    runs = count(1)

    def run(*_, **__):
        if not is_first() and next(runs) > 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return RunResult() if is_first() else BREACH

    code = explore(run, tmp_path, 400)

    out, err = capsys.readouterr()
    assert code == 3
    assert "a worker could not go on: it was killed by SIGKILL after" in err
    assert [read_finding(file).cause for file in sorted(tmp_path.glob("*.yaml"))] == [END_STATE]
    assert "1 finding(s); seed 1" in out


def test_a_disk_that_is_full_loses_no_finding(tmp_path, capsys, monkeypatch):
    def refuse(*_):
        raise EnvironmentProblem("'0001.yaml' cannot be written: No space left on device", hint="")

    monkeypatch.setattr("kueue_conformance.cli.exploration_run.write_finding", refuse)

    code = explore(lambda *_, **__: BREACH, tmp_path, 400)

    out, err = capsys.readouterr()
    assert code == 3
    assert "end-state  (3 of 3, seed 1)" in out
    assert "file       none: '0001.yaml' cannot be written: No space left on device" in out
    assert "1 finding(s); seed 1" in out
    assert "a finding is not in a file" in err


def test_why_one_could_not_go_on_is_said(tmp_path, capsys):
    def prepare():
        if not is_first():
            raise EnvironmentProblem("the port is taken", hint="choose another one")

    code = explore(lambda *_, **__: RunResult(), tmp_path, 5, prepare)

    assert code == 3
    assert "a worker could not go on: the port is taken" in capsys.readouterr().err
