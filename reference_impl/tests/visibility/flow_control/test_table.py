"""Where a request belongs, and how many seats there are (VIS-229, VIS-602…605, VIS-609, VIS-612)."""

import pytest

from reference_impl.kueue.visibility.attributes import Attributes, User
from reference_impl.kueue.visibility.flow_control.levels import PriorityLevel, Queuing, seats
from reference_impl.kueue.visibility.flow_control.schemas import Schema
from reference_impl.kueue.visibility.flow_control.table import Table

from .objects import ANY_PATH, ANY_RESOURCE, CQ, LQ, level, schema, user

ALICE = user("alice")
MASTER = User(name="root", groups=("system:masters", "system:authenticated"))


def table(schemas=(), levels=()):
    return Table.of(map(Schema.of, schemas), map(PriorityLevel.of, levels))


def place(attributes, user, *schemas, levels=()):
    return table(schemas, levels or [level(schema["metadata"]["name"]) for schema in schemas]).place(
        user, attributes
    )


def matches(attributes, user=ALICE, **rule):
    return Schema.of(schema("s", **rule)).matches(user, attributes)


@pytest.mark.parametrize(
    ("user", "name"),
    [
        pytest.param(MASTER, "exempt", id="masters"),
        pytest.param(ALICE, "catch-all", id="a user"),
        pytest.param(
            User(name="system:anonymous", groups=("system:unauthenticated",)), "catch-all", id="anonymous"
        ),
        pytest.param(User(name="bare"), "catch-all", id="no group at all"),
    ],
)
def test_without_objects_there_are_two_schemas_without_uids(user, name):
    placed = place(CQ, user)

    assert (placed.schema.name, placed.schema.uid, placed.level.uid) == (name, "", "")
    assert placed.level.exempt is (name == "exempt")


def test_objects_stand_for_the_mandatory_ones():
    placed = place(CQ, ALICE, schema("catch-all", 10_000))

    assert (placed.schema.uid, placed.level.uid) == ("uid-catch-all", "uid-level-catch-all")


def test_the_lowest_precedence_counts_then_the_name():
    assert place(CQ, ALICE, schema("a", 9000), schema("b", 800), schema("c", 900)).schema.name == "b"
    assert place(CQ, ALICE, schema("b", 900), schema("a", 900)).schema.name == "a"
    assert place(CQ, MASTER, schema("a", 2)).schema.name == "exempt"


def test_a_dangling_schema_is_passed_over():
    """VIS-612: `kueue-visibility` as shipped names a level that is not there."""
    shipped, default = schema("kueue-visibility", 9000, level="visibility"), schema("global-default", 9900)
    levels = [level("kueue-visibility"), level("global-default")]

    assert place(CQ, ALICE, shipped, default, levels=levels).schema.name == "global-default"


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        pytest.param({"kind": "User", "user": {"name": "alice"}}, True, id="user"),
        pytest.param({"kind": "User", "user": {"name": "bob"}}, False, id="another user"),
        pytest.param({"kind": "User", "user": {"name": "*"}}, True, id="any user"),
        pytest.param({"kind": "Group", "group": {"name": "system:authenticated"}}, True, id="group"),
        pytest.param({"kind": "Group", "group": {"name": "others"}}, False, id="another group"),
        pytest.param({"kind": "Group", "group": {"name": "*"}}, True, id="any group"),
        pytest.param({"kind": "Else"}, False, id="unknown"),
    ],
)
def test_subjects(subject, expected):
    assert matches(CQ, subjects=[subject]) is expected


@pytest.mark.parametrize(
    ("namespace", "name", "expected"),
    [
        pytest.param("x", "y", True, id="itself"),
        pytest.param("x", "*", True, id="all of the namespace"),
        pytest.param("x", "z", False, id="another name"),
        pytest.param("w", "*", False, id="another namespace"),
    ],
)
def test_accounts(namespace, name, expected):
    subject = {"kind": "ServiceAccount", "serviceAccount": {"namespace": namespace, "name": name}}

    assert matches(CQ, user("system:serviceaccount:x:y"), subjects=[subject]) is expected


@pytest.mark.parametrize(
    ("attributes", "change", "expected"),
    [
        pytest.param(CQ, {}, True, id="everything"),
        pytest.param(CQ, {"clusterScope": False}, False, id="no cluster scope"),
        pytest.param(LQ, {"clusterScope": False}, True, id="namespaced without cluster scope"),
        pytest.param(LQ, {"namespaces": ["b"]}, False, id="another namespace"),
        pytest.param(LQ, {"namespaces": []}, False, id="no namespace"),
        pytest.param(CQ, {"verbs": ["list"]}, False, id="verb"),
        pytest.param(CQ, {"apiGroups": [""]}, False, id="group"),
        pytest.param(CQ, {"resources": ["clusterqueues"]}, False, id="without the subresource"),
        pytest.param(CQ, {"resources": ["clusterqueues/pendingworkloads"]}, True, id="with the subresource"),
    ],
)
def test_rules_of_resources(attributes, change, expected):
    assert matches(attributes, resources=[{**ANY_RESOURCE, **change}], paths=[ANY_PATH]) is expected


@pytest.mark.parametrize(
    ("path", "url", "expected"),
    [
        pytest.param("/healthz", "/healthz", True, id="itself"),
        pytest.param("/healthz/", "/healthz", True, id="with a slash, as recorded"),
        pytest.param("/healthz/x", "/healthz", True, id="below a path"),
        pytest.param("/healthzx", "/healthz", False, id="another that begins so"),
        pytest.param("/openapi/v2", "/openapi/*", True, id="below"),
        pytest.param("/openapi", "/openapi/*", False, id="above"),
        pytest.param("/x", "*", True, id="any"),
    ],
)
def test_rules_of_paths(path, url, expected):
    attributes = Attributes(verb="get", path=path)

    assert matches(attributes, paths=[{"verbs": ["get"], "nonResourceURLs": [url]}]) is expected


@pytest.mark.parametrize(
    ("by", "flow"),
    [
        pytest.param("ByUser", "alice", id="user"),
        pytest.param("ByNamespace", "a", id="namespace"),
        pytest.param("", "", id="none"),
    ],
)
def test_flows(by, flow):
    assert place(LQ, ALICE, schema("s", by=by)).flow == flow


def test_seats_are_shares_of_600():
    """VIS-605: 24 with the objects of a cluster."""
    shares = {
        "system": 30,
        "node-high": 40,
        "leader-election": 10,
        "workload-high": 40,
        "workload-low": 100,
        "global-default": 20,
        "kueue-visibility": 10,
    }
    placed = table(levels=[level(name, share) for name, share in shares.items()])

    assert placed.seats["kueue-visibility"] == 24
    assert placed.seats["catch-all"] == 12


def test_a_level_has_a_seat_at_least():
    assert seats(
        [PriorityLevel(name="a", uid="", shares=0), PriorityLevel(name="b", uid="", shares=1)], 2
    ) == {
        "a": 1,
        "b": 2,
    }


def test_what_a_level_says():
    bare = {
        "metadata": {"name": "l", "uid": "u"},
        "spec": {"type": "Limited", "limited": {"limitResponse": {"type": "Queue"}}},
    }

    assert PriorityLevel.of(bare) == PriorityLevel(name="l", uid="u", shares=30, queuing=Queuing(64, 8, 50))
    assert PriorityLevel.of(level("l", 0, queues=0)).queuing is None
    assert PriorityLevel.of({"metadata": {"name": "e"}, "spec": {"type": "Exempt"}}).exempt
