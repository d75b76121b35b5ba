"""Budgets count pods, and evictions spend what is left (FK-487)."""

import pytest

from fakecluster.controllers import chosen

PODS = "/api/v1/namespaces/default/pods"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"


SPEC = {"containers": [{"name": "c", "image": "i"}]}
LABELS = {"app": "web"}


def owned(world, path, body):
    """Create three pods and what controls them."""
    owner = world.ask("POST", path, {"metadata": {"name": "owner"}, **body})
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": "owner",
        "uid": owner["metadata"]["uid"],
    }
    for name in ("p", "q", "r"):
        metadata = {"name": name, "labels": LABELS, "ownerReferences": [{**reference, "controller": True}]}
        world.ask("POST", PODS, {"metadata": metadata, "spec": SPEC})
    return world


def replicas(number):
    template = {"metadata": {"labels": LABELS}, "spec": SPEC}
    return {"spec": {"replicas": number, "selector": {"matchLabels": LABELS}, "template": template}}


@pytest.fixture
def crowd(make_world):
    """Three pods of a ReplicaSet that have names: its own controller, which would make others, does not run."""
    world = make_world(",".join(name for name in chosen("all") if name != "replicasets"))
    return owned(world, "/apis/apps/v1/namespaces/default/replicasets", replicas(3))


def budget(world, **spec):
    wanted = {"selector": {"matchLabels": {"app": "web"}}, **spec}
    world.ask("POST", BUDGETS, {"metadata": {"name": "b"}, "spec": wanted})
    return world.ask("GET", f"{BUDGETS}/b")["status"]


@pytest.mark.parametrize(
    ("spec", "desired", "allowed"),
    [
        ({"minAvailable": 2}, 2, 1),
        ({"minAvailable": "50%"}, 2, 1),
        ({"maxUnavailable": 0}, 3, 0),
        ({"maxUnavailable": "34%"}, 1, 2),
    ],
    ids=["number", "share", "none may go", "share may go"],
)
def test_a_budget_says_what_it_has_left_fk_487(crowd, spec, desired, allowed):
    status = budget(crowd, **spec)

    found = (
        status["expectedPods"],
        status["currentHealthy"],
        status["desiredHealthy"],
        status["disruptionsAllowed"],
    )
    assert found == (3, 3, desired, allowed)


@pytest.mark.parametrize(
    ("spec", "expected", "desired", "allowed"),
    [({"minAvailable": 2}, 3, 2, 1), ({"minAvailable": "50%"}, 6, 3, 0), ({"maxUnavailable": 4}, 6, 2, 1)],
    ids=["a number counts pods", "a share counts those wanted", "and so does a gap"],
)
def test_owners_say_how_many_there_should_be_fk_487(make_world, spec, expected, desired, allowed):
    world = make_world("disruptions,pods")
    owned(world, "/apis/apps/v1/namespaces/default/statefulsets", replicas(6))
    status = budget(world, **spec)

    assert (status["expectedPods"], status["desiredHealthy"], status["disruptionsAllowed"]) == (
        expected,
        desired,
        allowed,
    )


def test_pods_of_nobody_are_not_expected_fk_487(world):
    world.ask("POST", PODS, {"metadata": {"name": "p", "labels": LABELS}, "spec": SPEC})
    status = budget(world, maxUnavailable=1)

    assert (status["expectedPods"], status["disruptionsAllowed"]) == (0, 0)


def test_owners_without_a_scale_let_nothing_go_fk_487(make_world):
    world = make_world("disruptions")
    template = {"spec": {**SPEC, "restartPolicy": "Never"}}
    owned(world, "/apis/batch/v1/namespaces/default/jobs", {"spec": {"template": template}})
    status = budget(world, maxUnavailable="50%")

    assert status["disruptionsAllowed"] == 0
    assert status["conditions"][0]["message"] == "jobs.batch does not implement the scale subresource"


def test_evictions_stop_where_the_budget_ends_fk_487(crowd):
    budget(crowd, minAvailable=2)
    first = crowd.ask("POST", f"{PODS}/p/eviction", {"metadata": {"name": "p"}})
    second = crowd.ask("POST", f"{PODS}/q/eviction", {"metadata": {"name": "q"}})

    assert (first["status"], second["code"]) == ("Success", 429)
    assert crowd.names(PODS) == ["q", "r"]


def test_a_pod_under_two_budgets_cannot_be_evicted_fk_487(crowd):
    budget(crowd, minAvailable=1)
    spec = {"selector": {"matchLabels": {"app": "web"}}, "minAvailable": 1}
    crowd.ask("POST", BUDGETS, {"metadata": {"name": "other"}, "spec": spec})

    assert crowd.ask("POST", f"{PODS}/p/eviction", {"metadata": {"name": "p"}})["code"] == 500


def test_a_share_of_any_number_of_digits_is_counted_fk_487(crowd):
    status = budget(crowd, maxUnavailable=f"{'0' * 5000}34%")

    assert (status["desiredHealthy"], status["disruptionsAllowed"]) == (1, 2)
