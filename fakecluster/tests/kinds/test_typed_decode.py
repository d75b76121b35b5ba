"""Built-in objects are decoded as Go does (FK-041, FK-042, FK-502)."""

import pytest

from fakecluster.gotypes import typed
from fakecluster.gotypes.typed import GoTypeError
from fakecluster.kinds import BUILTIN_KINDS

ROWS = {kind.resource: kind for kind in BUILTIN_KINDS}


def decode(resource, tree):
    return typed.decode(ROWS[resource], tree)


@pytest.mark.parametrize(
    ("resource", "tree", "text"),
    [
        ("configmaps", {"data": {"a": 5}}, "number into Go struct field ConfigMap.data of type string"),
        ("configmaps", {"data": 5}, "number into Go struct field ConfigMap.data of type map[string]string"),
        (
            "configmaps",
            {"metadata": {"labels": {"a": True}}},
            "bool into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            "pods",
            {"spec": {"containers": "x"}},
            "string into Go struct field PodSpec.spec.containers of type []v1.Container",
        ),
        (
            "pods",
            {"spec": {"restartPolicy": []}},
            "array into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
        ),
        (
            "jobs.batch",
            {"spec": {"completions": 1.5}},
            "number 1.5 into Go struct field JobSpec.spec.completions of type int32",
        ),
        (
            "jobs.batch",
            {"spec": {"completions": 2**31}},
            "number 2147483648 into Go struct field JobSpec.spec.completions of type int32",
        ),
        ("jobs.batch", {"spec": "x"}, "string into Go struct field Job.spec of type v1.JobSpec"),
    ],
    ids=["map value", "map", "metadata", "list", "named type", "fraction", "overflow", "struct"],
)
def test_type_errors_are_gos_fk_041(resource, tree, text):
    with pytest.raises(GoTypeError) as error:
        decode(resource, tree)

    assert str(error.value) == f"json: cannot unmarshal {text}"


@pytest.mark.parametrize(
    ("resource", "tree", "text"),
    [
        ("secrets", {"data": {"a": "!"}}, "illegal base64 data at input byte 0"),
        ("secrets", {"data": {"a": "YWJj="}}, "illegal base64 data at input byte 4"),
        (
            "leases.coordination.k8s.io",
            {"spec": {"renewTime": "2020-02-02T00:00:00Z"}},
            'parsing time "2020-02-02T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
        ),
        (
            "events",
            {"firstTimestamp": 5},
            "json: cannot unmarshal number into Go struct field Event.firstTimestamp of type string",
        ),
    ],
    ids=["base64", "base64 padding", "microseconds", "time"],
)
def test_types_that_read_themselves_fk_041(resource, tree, text):
    with pytest.raises(GoTypeError) as error:
        decode(resource, tree)

    assert str(error.value) == text


def test_unknown_fields_are_dropped_and_listed_in_order_fk_042():
    tree = {"foo": 1, "metadata": {"ownerReferences": [{"bar": 1}]}, "Data": {}}
    decoded = decode("configmaps", tree)

    assert decoded.unknown == ("foo", "metadata.ownerReferences[0].bar", "Data")
    assert decoded.strict_errors[0] == 'unknown field "foo"'
    assert "foo" not in decoded.object


@pytest.mark.parametrize(
    ("resource", "tree", "object_"),
    [
        (
            "configmaps",
            {"data": {"a": None}, "immutable": False},
            {"data": {"a": ""}, "immutable": False, "metadata": {}},
        ),
        ("configmaps", {"data": {}, "binaryData": None}, {"metadata": {}}),
        ("roles.rbac.authorization.k8s.io", {"rules": []}, {"metadata": {}, "rules": None}),
        (
            "replicasets.apps",
            {"spec": {"minReadySeconds": 0}},
            {
                "metadata": {},
                "spec": {"selector": None, "template": {"metadata": {}, "spec": {"containers": None}}},
                "status": {"replicas": 0},
            },
        ),
        (
            "events",
            {},
            {
                "metadata": {},
                "involvedObject": {},
                "source": {},
                "firstTimestamp": None,
                "lastTimestamp": None,
                "eventTime": None,
                "reportingComponent": "",
                "reportingInstance": "",
            },
        ),
        (
            "pods",
            {"spec": {"overhead": {"cpu": "1000m", "memory": 1024}}},
            {
                "metadata": {},
                "spec": {"containers": None, "overhead": {"cpu": "1", "memory": "1024"}},
                "status": {},
            },
        ),
    ],
    ids=["nulls and pointers", "empty maps", "always present", "structs stay", "zero times", "quantities"],
)
def test_empty_values_are_left_out_as_go_does_fk_079(resource, tree, object_):
    assert decode(resource, tree).object == object_


@pytest.mark.parametrize("kind", BUILTIN_KINDS, ids=lambda kind: kind.api_version + "/" + kind.plural)
def test_an_empty_body_of_every_kind_is_decoded_and_defaulted_fk_495(kind):
    decoded = typed.decode(kind, {"apiVersion": kind.api_version, "kind": kind.kind}).object

    assert typed.decode(kind, kind.schema.default(decoded)).unknown == ()
