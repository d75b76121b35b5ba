"""What controllers write of large objects is worked on while clients are answered."""

from fakecluster.api.steps import LONG_BYTES, PAUSE, PAUSE_BYTES, Computation, Pending, begin
from fakecluster.controllers.actor import MANAGER, Actor
from fakecluster.controllers.clusterroles import ClusterRoleAggregationController

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"


def waits(steps):
    """What steps wait for, one after the other."""
    steps_left, sizes = begin(steps), []
    while isinstance(steps_left, Pending):
        sizes.append(steps_left.wait)
        if isinstance(steps_left.wait, Computation):
            steps_left.wait.perform()
        steps_left = steps_left.resume(())
    return sizes


def test_a_large_object_of_a_controller_is_worked_on_apart(make_world):
    actor = Actor(make_world("none").core.api, MANAGER, "test")
    kind = actor.kind("v1", "ConfigMap")
    small = {"metadata": {"name": "a", "namespace": "default"}}
    large = {"metadata": {"name": "b", "namespace": "default"}, "data": {"k": "x" * LONG_BYTES}}

    assert waits(actor.create(kind, small)) == [PAUSE]
    assert any(isinstance(wait, Computation) for wait in waits(actor.create(kind, large)))


def test_a_larger_request_of_a_controller_counts_more_in_its_slice(make_world):
    actor = Actor(make_world("none").core.api, MANAGER, "test")
    middle = {"metadata": {"name": "c", "namespace": "default"}, "data": {"k": "x" * 3 * PAUSE_BYTES}}

    assert waits(actor.create(actor.kind("v1", "ConfigMap"), middle)) == [PAUSE] * 4


def test_roles_are_gathered_apart_where_very_many_selectors_ask_for_them(make_world):
    world = make_world("none")
    selectors = [{"matchLabels": {f"k{number}": "v"}} for number in range(LONG_BYTES // 8)]
    body = {"metadata": {"name": "a"}, "rules": [], "aggregationRule": {"clusterRoleSelectors": selectors}}
    for number in range(8):
        world.ask("POST", ROLES, {"metadata": {"name": f"other{number}"}, "rules": []})
    world.ask("POST", ROLES, body)

    assert any(
        isinstance(wait, Computation)
        for wait in waits(ClusterRoleAggregationController(world.core.api).work(("a",)))
    )
