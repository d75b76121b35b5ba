"""Nothing is left of a run on kind, however it ends (harness/H-41, H-42)."""

import os
import signal

import pytest

pytestmark = [pytest.mark.kind, pytest.mark.timeout(300)]
BEGIN = ("run", "--backend", "kind", "--select", "ADM-2*", "-n", "2", "--report-dir", "report")


def test_a_killed_run_is_cleaned_up_after_by_who_started_it(machine):
    with machine.start(*BEGIN):
        _, owner = machine.await_cluster()
        os.kill(owner, signal.SIGKILL)

    assert machine.clusters() == []


def test_a_command_that_is_killed_with_its_run_leaves_what_cleanup_removes(machine):
    with machine.start(*BEGIN) as command:
        name, owner = machine.await_cluster()
        os.kill(command.pid, signal.SIGKILL)
        os.kill(owner, signal.SIGKILL)
    clusters_left = machine.clusters()

    assert (clusters_left, machine.run("cleanup"), machine.clusters()) == ([name], 0, [])


def test_an_interrupted_run_takes_its_cluster_away(machine):
    with machine.start(*BEGIN) as command:
        machine.await_cluster()
        command.send_signal(signal.SIGTERM)

    assert machine.clusters() == []
