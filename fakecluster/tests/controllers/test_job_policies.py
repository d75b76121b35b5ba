"""When a Job is over although not every pod succeeded,
and which failures count (FK-467, FK-473, FK-474, FK-476).
"""

import pytest

from fakecluster.controllers.jobs import failures

JOBS = "/apis/batch/v1/namespaces/default/jobs"
PODS = "/api/v1/namespaces/default/pods"
INDEXED = {"completionMode": "Indexed", "completions": 3, "parallelism": 3}


def rule(action, *codes):
    return {"rules": [{"action": action, "onExitCodes": {"operator": "In", "values": list(codes)}}]}


def start(world, script="manual", **spec):
    template = {
        "metadata": {"annotations": {"fakecluster.dev/script": script}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox:1"}]},
    }
    world.ask("POST", JOBS, {"metadata": {"name": "j"}, "spec": {"template": template, **spec}})


def end(world, index, phase="Succeeded", code=0):
    """End the pod of an index as its kubelet would."""
    pods = world.ask("GET", PODS)["items"]
    label = "batch.kubernetes.io/job-completion-index"
    name = next(
        condition["metadata"]["name"]
        for condition in pods
        if condition["metadata"]["labels"][label] == str(index)
        and condition["status"]["phase"] not in {"Succeeded", "Failed"}
    )
    world.pods.reach("default", name, phase, code)
    world.pass_time(0)


def status(world):
    return world.ask("GET", f"{JOBS}/j")["status"]


def outcome(world):
    """Return type, reason and message of the condition that ended the Job."""
    conditions = status(world).get("conditions", [])
    return [(condition["type"], condition["reason"], condition["message"]) for condition in conditions][-1:]


def test_one_index_may_fail_while_others_go_on_fk_474(world):
    start(world, **INDEXED, backoffLimitPerIndex=0)
    end(world, 1, "Failed", 1)

    assert status(world)["failedIndexes"] == "1"
    assert (status(world)["active"], outcome(world)) == (2, [])


def test_failed_indexes_fail_the_job_at_its_end_fk_474(world):
    start(world, **INDEXED, backoffLimitPerIndex=0)
    end(world, 1, "Failed", 1)
    end(world, 0)
    end(world, 2)

    assert outcome(world) == [("Failed", "FailedIndexes", "Job has failed indexes")]
    assert (status(world)["completedIndexes"], status(world)["failedIndexes"]) == ("0,2", "1")


def test_too_many_failed_indexes_end_the_job_at_once_fk_474(world):
    start(world, **INDEXED, backoffLimitPerIndex=0, maxFailedIndexes=0)
    end(world, 0, "Failed", 1)

    text = "Job has exceeded the specified maximal number of failed indexes"
    assert outcome(world) == [("Failed", "MaxFailedIndexesExceeded", text)]


def test_an_index_that_a_rule_gives_up_is_not_tried_again_fk_474(world):
    start(world, **INDEXED, backoffLimitPerIndex=5, podFailurePolicy=rule("FailIndex", 42))
    end(world, 2, "Failed", 42)
    world.pass_time(60)

    assert status(world)["failedIndexes"] == "2"
    assert len(world.names(PODS)) == 3


@pytest.mark.parametrize(("action", "failed"), [("Ignore", None), ("Count", 1)], ids=str)
def test_a_rule_says_whether_a_failure_counts_fk_474(world, action, failed):
    start(world, **INDEXED, podFailurePolicy=rule(action, 7))
    end(world, 0, "Failed", 7)

    assert status(world).get("failed") == failed


@pytest.mark.parametrize(
    ("success", "number"),
    [({"succeededIndexes": "1"}, 0), ({"succeededIndexes": "0-2", "succeededCount": 1}, 0)],
    ids=["an index", "a count"],
)
def test_a_job_succeeds_early_fk_474(world, success, number):
    start(world, **INDEXED, successPolicy={"rules": [success]})
    end(world, 1)

    assert outcome(world) == [("Complete", "SuccessPolicy", f"Matched rules at index {number}")]
    assert status(world)["completedIndexes"] == "1"


@pytest.mark.parametrize(
    ("policy", "pods"), [("TerminatingOrFailed", 2), ("Failed", 1)], ids=["at once", "when it is over"]
)
def test_a_pod_that_goes_is_replaced_as_the_policy_says_fk_467(make_world, policy, pods):
    world = make_world("jobs")
    start(world, podReplacementPolicy=policy)
    (first,) = world.names(PODS)
    binding = {"metadata": {"name": first}, "target": {"kind": "Node", "name": "n"}}
    world.ask("POST", f"{PODS}/{first}/binding", binding)
    world.ask("DELETE", f"{PODS}/{first}")
    world.pass_time(11)

    assert len(world.names(PODS)) == pods


def test_an_init_container_that_failed_matches_exit_codes():
    ended = {"name": "init", "state": {"terminated": {"exitCode": 42}}}
    pod = {
        "status": {
            "initContainerStatuses": [ended],
            "containerStatuses": [{"name": "c", "state": {"waiting": {}}}],
        }
    }
    policy = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]}

    assert failures.judge(policy, pod) == ("FailJob", 0)
