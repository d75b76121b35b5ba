"""Dependents follow their owners as the deletion asked (FK-120…123)."""

import pytest

MAPS = "/api/v1/namespaces/default/configmaps"


def config_map(name, *owners, **metadata):
    references = [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"],
            "blockOwnerDeletion": True,
        }
        for owner in owners
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "ownerReferences": references, **metadata},
    }


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

    assert [reference["name"] for reference in references] == ["second"]


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


def owner_of(world, name, *owners, block=True):
    """Make objects the owners of one that is there already."""
    references = [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"],
            "blockOwnerDeletion": block,
        }
        for owner in owners
    ]
    world.ask("PATCH", f"{MAPS}/{name}", {"metadata": {"ownerReferences": references}})


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("policy", ["Foreground", "Background"], ids=str)
def test_a_circle_of_owners_goes(world, size, policy):
    first = last = world.ask("POST", MAPS, config_map("o0"))
    for number in range(1, size):
        last = world.ask("POST", MAPS, config_map(f"o{number}", last))
    owner_of(world, "o0", last)

    delete(world, first["metadata"]["name"], policy)

    assert world.names(MAPS) == []


@pytest.mark.parametrize(
    ("policy", "block", "names"),
    [
        pytest.param("Foreground", False, [], id="without a block"),
        pytest.param("Background", True, [], id="in the background"),
        pytest.param("Orphan", True, [], id="as an orphan"),
        pytest.param(
            "Foreground", True, ["self"], id="that blocks itself waits for itself, as on a real server"
        ),
    ],
)
def test_an_object_that_owns_itself(world, policy, block, names):
    itself = world.ask("POST", MAPS, config_map("self"))
    owner_of(world, "self", itself, block=block)

    delete(world, "self", policy)

    assert world.names(MAPS) == names


@pytest.mark.parametrize("block", [True, False], ids=["that blocks", "that does not block"])
def test_what_a_kept_dependent_owns_goes_in_the_foreground(world, block):
    owner = world.ask("POST", MAPS, config_map("owner"))
    blocked = world.ask("POST", MAPS, config_map("kept", owner, finalizers=["example.com/hold"]))
    world.ask("POST", MAPS, config_map("below"))
    owner_of(world, "below", blocked, block=block)

    delete(world, "owner", "Foreground")

    assert world.names(MAPS) == ["kept", "owner"]
    assert world.ask("GET", f"{MAPS}/kept")["metadata"]["finalizers"] == ["example.com/hold"]


def test_a_dependent_that_does_not_block_goes_with_its_owner_in_the_foreground(world):
    owner = world.ask("POST", MAPS, config_map("owner"))
    world.ask("POST", MAPS, config_map("child", finalizers=["example.com/hold"]))
    owner_of(world, "child", owner, block=False)

    delete(world, "owner", "Foreground")

    assert world.names(MAPS) == ["child"]
    assert "deletionTimestamp" in world.ask("GET", f"{MAPS}/child")["metadata"]


def test_an_owner_that_a_dependent_ceases_to_block_goes(world):
    owner = world.ask("POST", MAPS, config_map("owner"))
    world.ask("POST", MAPS, config_map("held", owner, finalizers=["example.com/hold"]))
    delete(world, "owner", "Foreground")
    before = world.names(MAPS)

    owner_of(world, "held", owner, block=False)

    assert (before, world.names(MAPS)) == (["held", "owner"], ["held"])


def test_an_owner_of_an_unknown_kind_leaves_the_other_owners_alone(world):
    child = config_map("child")
    unknown = {"apiVersion": "x.example.com/v1", "kind": "X", "name": "x", "uid": "u"}
    absent = {"apiVersion": "v1", "kind": "ConfigMap", "name": "absent", "uid": "v"}
    child["metadata"]["ownerReferences"] = [unknown, absent]
    world.ask("POST", MAPS, child)

    assert len(world.ask("GET", f"{MAPS}/child")["metadata"]["ownerReferences"]) == 2


def test_an_owner_of_a_kind_that_comes_to_be_served_is_looked_up_then(world):
    child = config_map("child")
    child["metadata"]["ownerReferences"] = [
        {"apiVersion": "x.example.com/v1", "kind": "X", "name": "x", "uid": "u"}
    ]
    world.ask("POST", MAPS, child)
    before = world.names(MAPS)
    schema = {"openAPIV3Schema": {"type": "object"}}
    spec = {
        "group": "x.example.com",
        "scope": "Namespaced",
        "names": {"plural": "xs", "kind": "X"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
    }
    world.ask(
        "POST",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        {"metadata": {"name": "xs.x.example.com"}, "spec": spec},
    )

    assert (before, world.names(MAPS)) == (["child"], [])
