"""Budgets count pods, and evictions spend what is left (FK-487)."""

import pytest

PODS = "/api/v1/namespaces/default/pods"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"


@pytest.fixture
def crowd(world):
    for name in ("p", "q", "r"):
        labels = {"app": "web"}
        spec = {"containers": [{"name": "c", "image": "i"}]}
        world.ask("POST", PODS, {"metadata": {"name": name, "labels": labels}, "spec": spec})
    return world


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
