"""`cleanup` deletes the clusters of runs that are no more, and no others (harness/H-41)."""

import os
import subprocess
import sys

import pytest

from kueue_conformance.backends.kind import state_file
from kueue_conformance.backends.kind.owner import Owner, _start_time

DEAD = Owner(2**22 + 1, "1")
USED = "kueue-conformance-aaaaaa"
ORPHAN = "kueue-conformance-bbbbbb"
KEPT = "kueue-conformance-cccccc"


@pytest.fixture
def clusters(programs):
    """Three clusters: of this process, of one that is no more, and one that is kept."""
    state_file.write_record(state_file.ClusterRecord(name=USED, owner=Owner.here(), image="i"))
    state_file.write_record(state_file.ClusterRecord(name=ORPHAN, owner=DEAD, image="i"))
    state_file.write_record(state_file.ClusterRecord(name=KEPT, owner=DEAD, image="i", kept="--keep always"))
    return programs


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        pytest.param([], [ORPHAN], id="orphans"),
        pytest.param(["--kept"], [ORPHAN, KEPT], id="kept as well"),
        pytest.param([KEPT], [KEPT], id="by name"),
    ],
)
def test_what_goes_and_what_stays(run_command, clusters, shelf_of, words, gone):
    code, out, _ = run_command("cleanup", *words)
    deleted = [line.split()[3] for line in clusters.calls_of("kind") if line.startswith("delete")]

    assert (code, deleted) == (0, gone)
    assert shelf_of() == sorted({USED, ORPHAN, KEPT} - {*gone})
    assert out.splitlines()[0].startswith(f"deleted {gone[0]}: ")


def test_each_cluster_is_told_with_its_reason(run_command, clusters):
    assert run_command("cleanup")[1] == (
        f"deleted {ORPHAN}: its run, process {DEAD.pid}, is no more\n"
        f"left {USED}: process {Owner.here().pid} is at work with it\n"
        f"left {KEPT}: kept, --keep always\n"
    )


def test_nothing_needs_no_program(run_command, programs):
    programs.remove("kind")

    assert run_command("cleanup") == (0, "no cluster to delete\n", "")


STRAY = "kueue-conformance-dddddd"


@pytest.mark.parametrize(
    ("words", "begin_of_output", "deletions"),
    [
        pytest.param([], f"no cluster to delete\nleft {STRAY}: its owner is not known here; ", 0, id="told"),
        pytest.param([STRAY], f"deleted {STRAY}: its owner is not known\n", 1, id="by name"),
    ],
)
def test_a_cluster_without_a_record(run_command, programs, words, begin_of_output, deletions):
    programs.tell("kind", "get clusters", f"printf 'other\n{STRAY}\n'")
    code, out, _ = run_command("cleanup", *words)

    assert (code, out.startswith(begin_of_output)) == (0, True), out
    assert len([line for line in programs.calls_of("kind") if line.startswith("delete")]) == deletions


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param(
            "kueue-conformance-zzzzzz", "error: unknown cluster 'kueue-conformance-zzzzzz'", id="unknown"
        ),
        pytest.param(USED, f"error: cluster '{USED}' is used by process", id="at work"),
    ],
)
def test_a_cluster_that_cannot_go_is_told(run_command, clusters, name, error):
    code, _, err = run_command("cleanup", name)

    assert (code, err.startswith(error)) == (4, True)


def test_a_process_is_told_from_a_later_one_of_its_number():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        start_time = subprocess.run(
            [
                sys.executable,
                "-c",
                f"from kueue_conformance.backends.kind.owner import _start_time; print(_start_time({process.pid}))",
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        owner, later = Owner(process.pid, start_time), Owner(process.pid, start_time + "0")
        lived = owner.lives, later.lives
        process.kill()

    assert (*lived, owner.lives) == (True, False, False)


def test_a_record_that_was_cut_short_belongs_to_nobody(programs, shelf_of):
    (state_file.state() / "kueue-conformance-half00").mkdir(parents=True)

    assert [(record.name, record.is_orphaned) for record in state_file.records()] == [
        ("kueue-conformance-half00", True)
    ]


def test_a_process_that_nobody_has_buried_is_no_more(programs):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        unburied = _start_time(process.pid)

    assert unburied == ""


def test_who_still_makes_a_cluster_of_a_killed_run_is_ended(programs, run_command, monkeypatch):
    monkeypatch.setattr("kueue_conformance.backends.kind.reaping._RETRY_SECONDS", 0)
    programs.tell(
        "kind", "get nodes *", f"test -e {programs.folder}/gone || echo node; : > {programs.folder}/gone"
    )
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as maker:
        state_file.write_record(
            state_file.ClusterRecord(name=ORPHAN, owner=DEAD, image="i", maker=Owner.of(maker.pid))
        )
        code, *_ = run_command("cleanup")
        ended = maker.wait()
    deletions = [line for line in programs.calls_of("kind") if line.startswith("delete")]

    assert (code, ended, len(deletions)) == (0, -9, 2)
