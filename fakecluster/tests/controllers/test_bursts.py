"""Controllers make pods in bursts, and let others have turns between their requests (FK-464, FK-471)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fakecluster.controllers.engine import KEYS_PER_TURN
from fakecluster.controllers.jobs import JobController
from fakecluster.controllers.replicasets import ReplicaSetController
from fakecluster.kinds.batch import completion_indexes

from .conftest import to_end

CORE, PODS = "/api/v1/namespaces/default", "/api/v1/namespaces/default/pods"
JOBS, REPLICA_SETS = "/apis/batch/v1/namespaces/default/jobs", "/apis/apps/v1/namespaces/default/replicasets"
EVERY = 2**31 - 1
LABELS = {"app": "a"}


def job(**spec):
    pod = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
    return {"metadata": {"name": "j"}, "spec": {"template": {"spec": pod}, **spec}}


def replica_set(replicas):
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": template}
    return {"metadata": {"name": "j"}, "spec": spec}


def work_once(world, controller):
    """Let a controller look at `default/j` a single time."""
    new = controller(world.core.api)
    list(new.initial(world.core.store))
    to_end(new.work(("default", "j")))


def quota(world, pods):
    spec = {"hard": {"pods": str(pods)}}
    world.ask("POST", f"{CORE}/resourcequotas", {"metadata": {"name": "q"}, "spec": spec})


def count_refused_pods(world):
    return sum(entry.verb == "create" and entry.code == 403 for entry in world.core.journal)


@pytest.mark.parametrize(
    ("path", "body", "controller", "number"),
    [
        pytest.param(
            JOBS,
            job(completions=EVERY, parallelism=EVERY),
            JobController,
            500,
            id="a plain Job of two billion",
        ),
        pytest.param(
            JOBS,
            job(completionMode="Indexed", completions=10**9, parallelism=1),
            JobController,
            1,
            id="an indexed Job with a billion indexes and one place",
        ),
        pytest.param(
            REPLICA_SETS, replica_set(EVERY), ReplicaSetController, 500, id="a ReplicaSet of two billion"
        ),
    ],
)
def test_a_look_creates_five_hundred_pods_at_most(make_world, path, body, controller, number):
    world = make_world("none")
    world.ask("POST", path, body)

    work_once(world, controller)

    assert len(world.names(PODS)) == number


@pytest.mark.parametrize(
    ("path", "body", "controller"),
    [
        (JOBS, job(completions=1000, parallelism=1000), JobController),
        (REPLICA_SETS, replica_set(1000), ReplicaSetController),
    ],
    ids=["job", "replica set"],
)
@pytest.mark.parametrize(("capacity", "refused"), [(0, 1), (1, 2), (3, 4), (5, 2)])
def test_pods_start_slowly_and_stop_at_the_first_batch_with_a_refusal(
    make_world, path, body, controller, capacity, refused
):
    """Batches have 1, 2, 4 pods and so on; all of a batch are tried."""
    world = make_world("quotas,garbage")
    quota(world, capacity)
    world.ask("POST", path, body)

    with pytest.raises(Exception, match="exceeded quota"):
        work_once(world, controller)

    assert (len(world.names(PODS)), count_refused_pods(world)) == (capacity, refused)


def test_pods_that_a_quota_lets_through_are_in_the_status_of_their_job(make_world):
    world = make_world("quotas,jobs")
    quota(world, 2)
    world.ask("POST", JOBS, job(completions=9, parallelism=9))

    assert world.ask("GET", f"{JOBS}/j")["status"]["active"] == 2


def test_surplus_pods_go_in_bursts(make_world):
    world = make_world("replicasets")
    world.ask("POST", REPLICA_SETS, replica_set(700))
    world.engine.stop()
    world.ask("PATCH", f"{REPLICA_SETS}/j", {"spec": {"replicas": 0}})

    work_once(world, ReplicaSetController)

    assert len(world.names(PODS)) == 200


def test_a_slice_counts_requests(make_world):
    """A slice is what the engine does in one go; other clients are answered between two slices."""
    world = make_world("jobs")
    ends = [world.core.store.revision]
    drain = world.engine._drain
    world.engine._drain = lambda: (drain(), ends.append(world.core.store.revision))

    world.ask("POST", JOBS, job(completions=200, parallelism=200))

    assert len(world.names(PODS)) == 200
    assert max(after - before for before, after in pairwise(ends)) <= KEYS_PER_TURN + 1


def test_a_job_counts_five_hundred_pods_in_one_look(make_world):
    world = make_world("jobs")
    world.ask("POST", JOBS, job(completions=600, parallelism=600))
    world.engine.stop()
    for name in world.names(PODS):
        world.ask("PATCH", f"{PODS}/{name}/status", {"status": {"phase": "Succeeded"}})

    work_once(world, JobController)

    status = world.ask("GET", f"{JOBS}/j")["status"]
    assert (status["succeeded"], "completionTime" in status) == (500, False)


def test_indexes_of_pods_that_ended_are_kept_as_ranges(make_world):
    world = make_world("none")
    world.ask("POST", JOBS, job(completionMode="Indexed", completions=10**9, parallelism=2))
    world.ask(
        "PATCH",
        f"{JOBS}/j/status",
        {"status": {"completedIndexes": "0-499999999,500000001-999999998", "succeeded": 999999998}},
    )

    work_once(world, JobController)

    indexes = {
        int(pod["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"])
        for pod in world.ask("GET", PODS)["items"]
    }
    assert indexes == {500000000, 999999999}
    assert completion_indexes.of(indexes).total == 2


def test_pods_that_repeat_an_index_are_removed(make_world):
    world = make_world("none")
    world.ask("POST", JOBS, job(completionMode="Indexed", completions=2, parallelism=2))
    work_once(world, JobController)
    pod = world.ask("GET", PODS)["items"][0]
    own = {name: pod["metadata"][name] for name in ("labels", "annotations", "ownerReferences")}
    world.ask(
        "POST",
        PODS,
        {"metadata": {"name": "again", **own}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
    )

    work_once(world, JobController)

    indexes = [
        pod["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"]
        for pod in world.ask("GET", PODS)["items"]
    ]
    assert sorted(indexes) == ["0", "1"]
