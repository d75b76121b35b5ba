"""Dependents follow their owners as the deletion asked (FK-120…123)."""

import pytest

MAPS = "/api/v1/namespaces/default/configmaps"


def config_map(name, *owners, **metadata):
    references = [
        {
            "apiVersion": "v1", "kind": "ConfigMap", "name": one["metadata"]["name"], "uid": one["metadata"]["uid"],
            "blockOwnerDeletion": True,
        }
        for one in owners
    ]  # fmt: skip
    return {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "ownerReferences": references, **metadata},
    }  # fmt: skip


def delete(world, name, policy):
    options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": policy}
    world.ask("DELETE", f"{MAPS}/{name}", options)


@pytest.fixture
def world(make_world):
    return make_world("garbage")


@pytest.fixture
def family(world):
    """A grandparent, a parent and a child."""
    top = world.ask("POST", MAPS, config_map("top"))
    middle = world.ask("POST", MAPS, config_map("middle", top))
    world.ask("POST", MAPS, config_map("bottom", middle))
    return world


@pytest.mark.parametrize("policy", ["Background", "Foreground"], ids=str)
def test_everything_below_an_owner_goes_fk_120(family, policy):
    delete(family, "top", policy)

    assert family.names(MAPS) == []
    assert family.refusals() == []


def test_orphans_stay_and_forget_their_owner_fk_120(family):
    delete(family, "top", "Orphan")

    assert family.names(MAPS) == ["bottom", "middle"]
    assert "ownerReferences" not in family.ask("GET", f"{MAPS}/middle")["metadata"]


def test_a_foreground_owner_waits_for_what_blocks_it_fk_120(world):
    owner = world.ask("POST", MAPS, config_map("owner"))
    world.ask("POST", MAPS, config_map("held", owner, finalizers=["example.com/hold"]))
    delete(world, "owner", "Foreground")
    before = world.names(MAPS)
    world.ask("PATCH", f"{MAPS}/held", {"metadata": {"finalizers": None}})

    assert (before, world.names(MAPS)) == (["held", "owner"], [])


def test_a_dependent_with_another_owner_stays_fk_120(world):
    first, second = (world.ask("POST", MAPS, config_map(name)) for name in ("first", "second"))
    world.ask("POST", MAPS, config_map("child", first, second))
    delete(world, "first", "Background")
    references = world.ask("GET", f"{MAPS}/child")["metadata"]["ownerReferences"]

    assert [one["name"] for one in references] == ["second"]


def test_an_owner_of_another_uid_is_no_owner_fk_121(world):
    owner = world.ask("POST", MAPS, config_map("owner"))
    owner["metadata"]["uid"] = "00000000-0000-4000-8000-000000000000"
    world.ask("POST", MAPS, config_map("child", owner))

    assert world.names(MAPS) == ["owner"]


def test_an_owner_of_an_unknown_kind_keeps_its_dependents_fk_121(world):
    child = config_map("child")
    child["metadata"]["ownerReferences"] = [
        {"apiVersion": "x.example.com/v1", "kind": "X", "name": "x", "uid": "u"}
    ]
    world.ask("POST", MAPS, child)

    assert world.names(MAPS) == ["child"]


def test_an_owner_in_another_namespace_is_none_and_that_is_told_fk_121(world):
    world.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
    owner = world.ask("POST", "/api/v1/namespaces/x/configmaps", config_map("owner"))
    world.ask("POST", MAPS, config_map("child", owner))
    (event,) = world.ask("GET", "/api/v1/namespaces/default/events")["items"]

    assert world.names(MAPS) == []
    assert (event["reason"], event["type"]) == ("OwnerRefInvalidNamespace", "Warning")
    assert event["message"].endswith('does not exist in namespace "default"')


def test_a_cluster_wide_dependent_of_something_inside_stays_fk_121(world):
    owner = world.ask("POST", MAPS, config_map("owner"))
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
    world.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n", "ownerReferences": [reference]}})
    delete(world, "owner", "Background")

    assert world.names("/api/v1/nodes") == ["n"]
