"""Jobs run, are suspended and end as under Kubernetes 1.36 (FK-471…475)."""

import pytest

JOBS = "/apis/batch/v1/namespaces/default/jobs"
PODS = "/api/v1/namespaces/default/pods"
EVENTS = "/api/v1/namespaces/default/events"


def job(script="manual", **spec):
    template = {
        "metadata": {"annotations": {"fakecluster.dev/script": script}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox:1"}]},
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j"},
        "spec": {"template": template, **spec},
    }


def conditions(world):
    return [
        (condition["type"], condition["status"], condition["reason"])
        for condition in world.ask("GET", f"{JOBS}/j")["status"]["conditions"]
    ]


def status(world, *names):
    status = world.ask("GET", f"{JOBS}/j")["status"]
    return {name: status.get(name) for name in names}


def events(world):
    events = world.ask("GET", EVENTS)["items"]
    return sorted(condition["reason"] for condition in events if condition["involvedObject"]["kind"] == "Job")


def test_a_job_runs_to_completion_fk_474(world):
    world.ask("POST", JOBS, job("instant", completions=3, parallelism=2))

    assert conditions(world) == [
        ("SuccessCriteriaMet", "True", "CompletionsReached"),
        ("Complete", "True", "CompletionsReached"),
    ]
    assert status(world, "succeeded", "active", "uncountedTerminatedPods") == {
        "succeeded": 3,
        "active": None,
        "uncountedTerminatedPods": {},
    }
    assert world.refusals() == []


def test_never_more_pods_than_parallelism_fk_472(world):
    world.ask("POST", JOBS, job(completions=5, parallelism=2))

    assert len(world.names(PODS)) == 2


def test_pods_of_a_job_are_owned_tracked_and_labelled_fk_472(world):
    created = world.ask("POST", JOBS, job())
    pod = world.ask("GET", PODS)["items"][0]

    assert pod["metadata"]["finalizers"] == ["batch.kubernetes.io/job-tracking"]
    assert pod["metadata"]["labels"]["batch.kubernetes.io/controller-uid"] == created["metadata"]["uid"]
    assert pod["metadata"]["ownerReferences"] == [
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "name": "j",
            "uid": created["metadata"]["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]


def test_a_suspended_job_has_no_pods_and_no_start_fk_471(world):
    world.ask("POST", JOBS, job(suspend=True))

    assert world.names(PODS) == []
    assert conditions(world) == [("Suspended", "True", "JobSuspended")]
    assert status(world, "startTime") == {"startTime": None}


def test_a_resumed_job_starts_anew_fk_471(world):
    world.ask("POST", JOBS, job(suspend=True))
    world.pass_time(60)
    world.ask("PATCH", f"{JOBS}/j", {"spec": {"suspend": False}})

    assert conditions(world) == [("Suspended", "False", "JobResumed")]
    assert status(world, "startTime", "active") == {"startTime": "2026-01-01T00:01:00Z", "active": 1}
    assert events(world) == ["Resumed", "SuccessfulCreate", "Suspended"]


def test_suspending_deletes_pods_without_counting_them_fk_471(world):
    world.ask("POST", JOBS, job("Running"))
    world.ask("PATCH", f"{JOBS}/j", {"spec": {"suspend": True}})

    assert world.names(PODS) == []
    assert status(world, "failed", "active", "startTime") == {
        "failed": None,
        "active": None,
        "startTime": None,
    }


def test_too_many_failures_end_a_job_fk_474(world):
    world.ask("POST", JOBS, job("Failed", backoffLimit=1))
    world.pass_time(10)

    assert conditions(world) == [
        ("FailureTarget", "True", "BackoffLimitExceeded"),
        ("Failed", "True", "BackoffLimitExceeded"),
    ]
    assert status(world, "failed") == {"failed": 2}


def test_a_failed_pod_is_replaced_after_ten_seconds_fk_474(world):
    world.ask("POST", JOBS, job("Failed", backoffLimit=6))
    world.pass_time(9)
    before = len(world.names(PODS))
    world.pass_time(1)

    assert (before, len(world.names(PODS))) == (1, 2)


def test_the_deadline_ends_a_job_fk_474(world):
    world.ask("POST", JOBS, job("Running", activeDeadlineSeconds=30))
    world.pass_time(30)

    assert conditions(world)[-1] == ("Failed", "True", "DeadlineExceeded")
    assert world.names(PODS) == []


def test_a_pod_failure_policy_ends_a_job_fk_474(world):
    rule = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}
    world.ask("POST", JOBS, job("Failed(42)", podFailurePolicy={"rules": [rule]}))

    assert conditions(world)[-1] == ("Failed", "True", "PodFailurePolicy")


def test_an_indexed_job_counts_indexes_fk_473(world):
    world.ask("POST", JOBS, job("instant", completionMode="Indexed", completions=3, parallelism=3))

    assert status(world, "completedIndexes", "succeeded") == {"completedIndexes": "0-2", "succeeded": 3}


def test_a_finished_job_is_removed_after_its_time_fk_475(world):
    world.ask("POST", JOBS, job("instant", ttlSecondsAfterFinished=100))
    world.pass_time(99)
    before = world.names(JOBS)
    world.pass_time(1)

    assert (before, world.names(JOBS), world.names(PODS)) == (["j"], [], [])


def test_a_job_of_somebody_else_is_left_alone_fk_476(world):
    world.ask("POST", JOBS, job("instant", managedBy="example.com/other"))

    assert world.names(PODS) == []


def test_pods_of_a_deleted_job_lose_their_finalizer_fk_120(world):
    world.ask("POST", JOBS, job())
    world.ask(
        "DELETE",
        f"{JOBS}/j",
        {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"},
    )

    assert world.names(PODS) == []


@pytest.mark.parametrize("controllers", ["pods", "garbage,nodes"], ids=["only pods", "neither"])
def test_without_the_controller_nothing_happens_fk_459(make_world, controllers):
    world = make_world(controllers)
    world.ask("POST", JOBS, job("instant"))

    assert world.ask("GET", f"{JOBS}/j")["status"] == {}


def test_the_same_seed_gives_the_same_names_fk_123(make_world):
    first, second = make_world("all"), make_world("all")
    for world in (first, second):
        world.ask("POST", JOBS, job(parallelism=3, completions=3))

    assert first.names(PODS) == second.names(PODS)
