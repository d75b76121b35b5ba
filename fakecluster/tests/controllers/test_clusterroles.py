"""Aggregated ClusterRoles gather rules (FK-399)."""

import pytest

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
READ = {"verbs": ["get"], "apiGroups": ["a.io"], "resources": ["things"]}
WRITE = {"verbs": ["create"], "apiGroups": ["a.io"], "resources": ["things"]}


def role(name, *rules, labels=None, selects=None):
    metadata = {"name": name, "labels": labels or {}}
    fields = {"aggregationRule": {"clusterRoleSelectors": list(selects)}} if selects else {}
    return {"metadata": metadata, "rules": list(rules), **fields}


def part(key):
    return {"matchLabels": {key: "yes"}}


@pytest.mark.parametrize(
    ("selects", "expected"),
    [
        pytest.param([part("read")], [READ], id="one part"),
        pytest.param([part("write"), part("read")], [WRITE, READ], id="by selector"),
        pytest.param([part("both")], [READ, WRITE], id="by name, each rule once"),
        pytest.param(
            [{"matchExpressions": [{"key": "write", "operator": "Exists"}]}], [WRITE, READ], id="expressions"
        ),
        pytest.param([part("nothing")], None, id="nothing"),
    ],
)
def test_an_aggregated_role_has_the_rules_it_selects_fk_399(make_world, selects, expected):
    world = make_world("clusterroles")
    world.ask("POST", ROLES, role("p1", READ, labels={"read": "yes", "both": "yes"}))
    world.ask("POST", ROLES, role("p2", WRITE, READ, labels={"write": "yes", "both": "yes"}))
    world.ask("POST", ROLES, role("whole", selects=selects))

    assert world.ask("GET", f"{ROLES}/whole").get("rules") == expected


def test_a_role_follows_its_parts_through_other_roles_fk_399(make_world):
    world = make_world("clusterroles")
    world.ask("POST", ROLES, role("part", READ, labels={"low": "yes"}))
    world.ask("POST", ROLES, role("middle", labels={"high": "yes"}, selects=[part("low")]))
    world.ask("POST", ROLES, role("top", selects=[part("high")]))
    world.ask("PATCH", f"{ROLES}/part", {"rules": [WRITE]})

    assert world.ask("GET", f"{ROLES}/top")["rules"] == [WRITE]
    assert world.refusals() == []


def test_the_default_roles_gather_their_rules_fk_399(make_world):
    rules = make_world("clusterroles").ask("GET", f"{ROLES}/edit")["rules"]

    assert {
        "apiGroups": ["batch"],
        "verbs": ["create", "delete", "deletecollection", "patch", "update"],
    }.items() <= next(
        rule for rule in rules if rule["apiGroups"] == ["batch"] and "create" in rule["verbs"]
    ).items()


@pytest.mark.parametrize("name", ["view", "edit", "admin"])
def test_a_role_labelled_for_view_reaches_all_three_default_roles_vk_04(make_world, name):
    world = make_world("clusterroles")
    label = "rbac.authorization.k8s.io/aggregate-to-view"
    world.ask("POST", ROLES, role("pending", READ, labels={label: "true"}))

    assert READ in world.ask("GET", f"{ROLES}/{name}")["rules"]
