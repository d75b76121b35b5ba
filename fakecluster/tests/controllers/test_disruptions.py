"""PodDisruptionBudgets count pods, and each eviction uses one allowed disruption (FK-487)."""

import pytest

from fakecluster.api.status import StatusError
from fakecluster.controllers import chosen
from fakecluster.kinds.policy import evictions

PODS = "/api/v1/namespaces/default/pods"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"


SPEC = {"containers": [{"name": "c", "image": "i"}]}
LABELS = {"app": "web"}
READY = [{"type": "Ready", "status": "True"}]


def own_pod(world, path, body):
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
    """Three pods of a ReplicaSet that have names:
    its own controller, which would make others, does not run.
    """
    world = make_world(",".join(name for name in chosen("all") if name != "replicasets"))
    return own_pod(world, "/apis/apps/v1/namespaces/default/replicasets", replicas(3))


def budget(world, **spec):
    spec_fields = {"selector": {"matchLabels": {"app": "web"}}, **spec}
    world.ask("POST", BUDGETS, {"metadata": {"name": "b"}, "spec": spec_fields})
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

    budget_status = (
        status["expectedPods"],
        status["currentHealthy"],
        status["desiredHealthy"],
        status["disruptionsAllowed"],
    )
    assert budget_status == (3, 3, desired, allowed)


@pytest.mark.parametrize(
    ("spec", "expected", "desired", "allowed"),
    [({"minAvailable": 2}, 3, 2, 1), ({"minAvailable": "50%"}, 6, 3, 0), ({"maxUnavailable": 4}, 6, 2, 1)],
    ids=["a number counts pods", "a share counts those wanted", "and so does a gap"],
)
def test_owners_say_how_many_there_should_be_fk_487(make_world, spec, expected, desired, allowed):
    world = make_world("disruptions,pods")
    own_pod(world, "/apis/apps/v1/namespaces/default/statefulsets", replicas(6))
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
    own_pod(world, "/apis/batch/v1/namespaces/default/jobs", {"spec": {"template": template}})
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


def test_the_last_disruption_shows_in_the_condition_at_once(make_world):
    world = make_world("none")
    world.ask("POST", PODS, {"metadata": {"name": "p", "labels": LABELS}, "spec": SPEC})
    world.ask("PATCH", f"{PODS}/p/status", {"status": {"phase": "Running", "conditions": READY}})
    budget(world, minAvailable=0)
    counted = {
        "observedGeneration": 1,
        "disruptionsAllowed": 1,
        "currentHealthy": 1,
        "desiredHealthy": 0,
        "expectedPods": 1,
    }
    world.ask("PATCH", f"{BUDGETS}/b/status", {"status": counted})

    world.ask("POST", f"{PODS}/p/eviction", {"metadata": {"name": "p"}})
    status = world.ask("GET", f"{BUDGETS}/b")["status"]

    (condition,) = status["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == (
        "DisruptionAllowed",
        "False",
        "InsufficientPods",
    )
    assert (status["disruptionsAllowed"], list(status["disruptedPods"])) == (0, ["p"])


@pytest.mark.parametrize(
    ("query", "options"),
    [("?dryRun=All", {}), ("", {"dryRun": ["All"]}), ("?dryRun=All", {"gracePeriodSeconds": 0})],
    ids=["query", "options", "query beside options"],
)
def test_an_eviction_that_is_only_tried_changes_nothing(crowd, query, options):
    budget(crowd, minAvailable=2)
    before = crowd.ask("GET", f"{PODS}/p"), crowd.ask("GET", f"{BUDGETS}/b")

    answer = crowd.ask(
        "POST", f"{PODS}/p/eviction{query}", {"metadata": {"name": "p"}, "deleteOptions": options}
    )

    assert answer["status"] == "Success"
    assert (crowd.ask("GET", f"{PODS}/p"), crowd.ask("GET", f"{BUDGETS}/b")) == before


def test_an_eviction_of_v1beta1_is_accepted(crowd):
    body = {"apiVersion": "policy/v1beta1", "kind": "Eviction", "metadata": {"name": "p"}}

    assert crowd.ask("POST", f"{PODS}/p/eviction", body)["status"] == "Success"
    assert crowd.names(PODS) == ["q", "r"]


def test_a_pod_that_was_not_deleted_counts_again_after_two_minutes(crowd):
    budget(crowd, minAvailable=2)
    wrong = {"preconditions": {"uid": "00000000-0000-0000-0000-000000000001"}}
    refused = crowd.ask("POST", f"{PODS}/p/eviction", {"metadata": {"name": "p"}, "deleteOptions": wrong})
    spent = crowd.ask("GET", f"{BUDGETS}/b")["status"]["disruptionsAllowed"]

    crowd.pass_time(122)
    status = crowd.ask("GET", f"{BUDGETS}/b")["status"]

    assert (refused["code"], spent, status["disruptionsAllowed"]) == (409, 0, 1)
    assert "disruptedPods" not in status


def test_a_budget_that_has_noted_too_many_evictions_allows_none():
    noted = {f"p{number}": "2026-01-01T00:00:00Z" for number in range(2001)}
    status = {"disruptionsAllowed": 1, "disruptedPods": noted}

    with pytest.raises(StatusError, match="DisruptedPods map too big"):
        evictions.check({"metadata": {"name": "b"}, "status": status})


@pytest.mark.parametrize("name", ["p", "another"], ids=["an eviction", "before its name is looked at"])
def test_nothing_is_evicted_in_a_namespace_that_goes(make_world, name):
    world, path = make_world("none"), "/api/v1/namespaces/going"
    world.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "going"}})
    world.ask("POST", f"{path}/pods", {"metadata": {"name": "p"}, "spec": SPEC})
    world.ask("DELETE", path)

    answer = world.ask("POST", f"{path}/pods/p/eviction", {"metadata": {"name": name}})

    assert (answer["code"], answer["details"]["causes"][0]["reason"]) == (403, "NamespaceTerminating")
