"""The subject dies, is stopped and started, and gets a second replica;
a death on purpose is no error (harness/H-43, H-59).
"""

import sys

import pytest

from kueue_conformance.backends.fake.shared import WallFakeBackend
from kueue_conformance.base.budget import Budgets
from kueue_conformance.base.errors import SubjectDied
from kueue_conformance.control_planes import choose
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.subject.declaration import declare
from kueue_conformance.subject.supervision import Supervision

NAME = "example.com/budget"
ACTIVATES = """
import os, signal, time
from kubernetes import client, config
config.load_kube_config()
{first}
api = client.CustomObjectsApi()
def active(one):
    status = {{"conditions": [{{"type": "Active", "status": "True", "reason": "Active", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}}]}}
    api.patch_cluster_custom_object_status("kueue.x-k8s.io", "v1beta2", "admissionchecks", one["metadata"]["name"], {{"status": status}})
while True:
    for one in api.list_cluster_custom_object("kueue.x-k8s.io", "v1beta2", "admissionchecks")["items"]:
        if not one.get("status"):
            active(one)
    time.sleep(0.05)
"""


@pytest.fixture
def cluster():
    backend = WallFakeBackend()
    dialect = known_dialects()["v0.19"]
    plane = choose("scripted", "fake")
    lent = backend.lend(dialect, lambda base: plane.install(base, dialect))
    yield lent
    lent.close()
    backend.close()


@pytest.fixture
def start_supervision(tmp_path):
    supervisions = []

    def start(first=""):
        program = tmp_path / "subject.py"
        program.write_text(ACTIVATES.format(first=first))
        declared = declare(f"process:{sys.executable} {program}", "", NAME)
        supervisions.append(Supervision(declared, Budgets(virtual=False, scale=0.5)))
        return supervisions[0]

    yield start
    supervisions[0].stop()


def users(cluster):
    return {request.user.rpartition(":")[2] for request in cluster.recorder.requests()}


@pytest.mark.slow
def test_subject_that_was_killed_is_not_dead_by_itself_and_starts_again(cluster, start_supervision):
    running = start_supervision().on(cluster, print)
    running.up[0].dies(cluster)
    running.check_alive()
    assert not running.up

    running.start(cluster)

    assert users(cluster) == {"subject", "subject-2"}


@pytest.mark.slow
def test_a_case_leaves_one_replica_behind(cluster, start_supervision):
    supervision = start_supervision()
    running = supervision.on(cluster, print)
    running.begin(cluster)

    supervision.leave(cluster)

    assert [replica.number for replica in running.up] == [1]
    assert supervision.on(cluster, print) is running


@pytest.mark.slow
def test_who_was_disturbed_is_started_anew_for_the_next_case(cluster, start_supervision):
    supervision = start_supervision()
    running = supervision.on(cluster, print)

    supervision.leave(cluster, disturbed=True)

    assert not running.up
    assert supervision.on(cluster, print) is not running


@pytest.mark.slow
def test_who_does_not_hear_sigterm_is_killed(cluster, start_supervision):
    running = start_supervision("signal.signal(signal.SIGTERM, signal.SIG_IGN)").on(cluster, print)

    assert running.up[0].stops(0.2) is False


@pytest.mark.slow
def test_who_ends_by_itself_is_an_error(cluster, start_supervision):
    running = start_supervision().on(cluster, print)
    process = running.up[0].handle._process
    process.kill()
    process.wait()

    with pytest.raises(SubjectDied, match="ended by signal SIGKILL"):
        running.check_alive()
