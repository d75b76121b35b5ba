"""The CustomResourceDefinitions: names, scopes, columns, and the limits of the fields (AC-001…185)."""

import re

import pytest

from reference_impl.api.crds import definitions
from reference_impl.api.known_releases import NAMED

SPEC, STATUS = "spec", "status"


def crd(kind, dialect="v0.19"):
    return next(
        definition["spec"]
        for definition in definitions(dialect)
        if definition["spec"]["names"]["kind"] == kind
    )


def version(kind, dialect="v0.19"):
    (only_one,) = crd(kind, dialect)["versions"]
    return only_one


def at(kind, *path, dialect="v0.19"):
    """Return the schema of a field; lists are entered without a word."""
    schema = version(kind, dialect)["schema"]["openAPIV3Schema"]
    for name in path:
        schema = schema.get("items", schema)["properties"][name]
    return schema


@pytest.mark.parametrize(
    ("kind", "scope", "short_names", "columns", "status"),
    [
        pytest.param("AdmissionCheck", "Cluster", ["ac"], [], True, id="AdmissionCheck"),
        pytest.param(
            "ClusterQueue",
            "Cluster",
            ["cq"],
            ["Cohort", "Strategy", "Pending Workloads", "Admitted Workloads"],
            True,
            id="ClusterQueue",
        ),
        pytest.param("Cohort", "Cluster", ["co"], [], True, id="Cohort"),
        pytest.param("Topology", "Cluster", ["topo"], [], False, id="Topology"),
        pytest.param("MultiKueueConfig", "Cluster", ["mkconf"], [], False, id="MultiKueueConfig"),
        pytest.param(
            "MultiKueueCluster", "Cluster", ["mkc"], ["Connected", "Age"], True, id="MultiKueueCluster"
        ),
        pytest.param(
            "ProvisioningRequestConfig", "Cluster", ["prc"], [], False, id="ProvisioningRequestConfig"
        ),
        pytest.param(
            "LocalQueue",
            "Namespaced",
            ["queue", "queues", "lq"],
            ["ClusterQueue", "Pending Workloads", "Admitted Workloads"],
            True,
            id="LocalQueue",
        ),
        pytest.param(
            "ResourceFlavor", "Cluster", ["flavor", "flavors", "rf"], [], False, id="ResourceFlavor"
        ),
        pytest.param(
            "WorkloadPriorityClass", "Cluster", ["wpc"], ["Value"], False, id="WorkloadPriorityClass"
        ),
        pytest.param(
            "Workload",
            "Namespaced",
            ["kwl", "kueueworkload", "kueueworkloads"],
            ["Queue", "Reserved in", "Admitted", "Finished", "Age"],
            True,
            id="Workload",
        ),
    ],
)
def test_names_scope_and_columns(kind, scope, short_names, columns, status):
    """AC-010, AC-030, AC-070, AC-080, AC-090, AC-180, AC-185."""
    spec, shown = crd(kind), version(kind)

    assert (spec["scope"], spec["names"]["shortNames"]) == (scope, short_names)
    assert [column["name"] for column in shown.get("additionalPrinterColumns", [])] == columns
    assert ("status" in shown.get("subresources", {})) is status


def test_only_workloads_are_selected_by_a_field():
    selectable = {
        definition["spec"]["names"]["kind"]: version(definition["spec"]["names"]["kind"])
        for definition in definitions()
    }

    assert {
        kind: first["selectableFields"] for kind, first in selectable.items() if "selectableFields" in first
    } == {"Workload": [{"jsonPath": ".status.admission.clusterQueue"}]}


@pytest.mark.parametrize(
    ("path", "keywords"),
    [
        pytest.param(
            ("AdmissionCheck", SPEC, "controllerName"), {"minLength": 1, "maxLength": 253}, id="AC-011"
        ),
        pytest.param(("AdmissionCheck", STATUS, "conditions"), {"maxItems": 16}, id="AC-017"),
        pytest.param(("ClusterQueue", SPEC, "resourceGroups"), {"maxItems": 16}, id="AC-030"),
        pytest.param(("ClusterQueue", SPEC, "queueingStrategy"), {"default": "BestEffortFIFO"}, id="AC-035"),
        pytest.param(("ClusterQueue", SPEC, "preemption"), {"default": {}}, id="AC-038"),
        pytest.param(
            ("ClusterQueue", SPEC, "admissionChecksStrategy", "admissionChecks"),
            {"minItems": 1, "maxItems": 64, "x-kubernetes-list-map-keys": ["name"]},
            id="AC-039",
        ),
        pytest.param(
            ("ClusterQueue", SPEC, "admissionChecksStrategy", "admissionChecks", "onFlavors"),
            {"maxItems": 64, "x-kubernetes-list-type": "set"},
            id="AC-040",
        ),
        pytest.param(
            ("ClusterQueue", SPEC, "stopPolicy"), {"enum": ["None", "Hold", "HoldAndDrain"]}, id="AC-043"
        ),
        pytest.param(("ResourceFlavor", SPEC, "nodeLabels"), {"maxProperties": 8}, id="AC-080"),
        pytest.param(("Workload", SPEC, "podSets"), {"minItems": 1, "maxItems": 18}, id="AC-090"),
        pytest.param(
            ("Workload", SPEC, "podSets", "name"), {"default": "main", "maxLength": 63}, id="AC-091"
        ),
        pytest.param(("Workload", SPEC, "podSets", "count"), {"default": 1, "minimum": 0}, id="AC-093"),
        pytest.param(("Workload", SPEC, "active"), {"default": True}, id="AC-099"),
        pytest.param(("Workload", STATUS, "admissionChecks"), {"maxItems": 8}, id="AC-116"),
        pytest.param(
            ("Workload", STATUS, "admissionChecks", "state"),
            {"enum": ["Pending", "Ready", "Retry", "Rejected"]},
            id="AC-118",
        ),
        pytest.param(("Workload", STATUS, "schedulingStats", "evictions"), {"maxItems": 256}, id="AC-130"),
        pytest.param(("WorkloadPriorityClass", "description"), {"maxLength": 2048}, id="AC-180"),
    ],
)
def test_limits_and_defaults(path, keywords):
    assert at(*path).items() >= keywords.items()


@pytest.mark.parametrize(
    ("path", "required"),
    [
        pytest.param(("AdmissionCheck", SPEC), ["controllerName"], id="AC-011"),
        pytest.param(("Workload", SPEC, "podSets"), ["template"], id="AC-092"),
        pytest.param(
            ("Workload", STATUS, "admissionChecks"),
            ["lastTransitionTime", "message", "name", "state"],
            id="AC-117…120",
        ),
        pytest.param(
            ("Workload", STATUS, "conditions"),
            ["lastTransitionTime", "message", "reason", "status", "type"],
            id="conditions",
        ),
        pytest.param(("WorkloadPriorityClass",), ["value"], id="AC-180"),
    ],
)
def test_required_fields(path, required):
    schema = at(*path)

    assert schema.get("items", schema)["required"] == required


@pytest.mark.parametrize(
    ("dialect", "path", "present"),
    [
        pytest.param(
            "v0.6", (SPEC, "admissionChecksStrategy", "admissionChecks"), {"name"}, id="v0.6 has no onFlavors"
        ),
        pytest.param(
            "docs-2024",
            (SPEC, "admissionChecksStrategy", "admissionChecks"),
            {"name", "onFlavors"},
            id="0.7 brought onFlavors",
        ),
    ],
)
def test_fields_that_a_dialect_lacks_are_left_out(dialect, path, present):
    assert set(at("ClusterQueue", *path, dialect=dialect)["items"]["properties"]) == present


def test_the_kep_has_fields_of_its_own():
    """AC-460."""
    spec = at("AdmissionCheck", SPEC, dialect="kep993")["properties"]
    check = at("Workload", STATUS, "admissionChecks", dialect="kep993")["items"]["properties"]

    assert {"preemptionPolicy", "retryDelayMinutes"} <= spec.keys()
    assert check["reason"]["type"] == "string"


@pytest.mark.parametrize("dialect", NAMED)
def test_pod_templates_keep_their_metadata_and_their_list_keys(dialect):
    template = at("Workload", SPEC, "podSets", "template", dialect=dialect)
    ports = template["properties"]["spec"]["properties"]["containers"]["items"]["properties"]["ports"]

    assert set(template["properties"]["metadata"]["properties"]) == {
        "annotations",
        "finalizers",
        "labels",
        "name",
        "namespace",
    }
    assert ports["x-kubernetes-list-map-keys"] == ["containerPort", "protocol"]
    assert ports["items"]["properties"]["protocol"] == {"type": "string", "default": "TCP"}


def nodes(schema):
    yield schema
    for inner in (schema.get("properties") or {}).values():
        yield from nodes(inner)
    for word in ("items", "additionalProperties"):
        if word in schema:
            yield from nodes(schema[word])


@pytest.mark.parametrize("kind", [definition["spec"]["names"]["kind"] for definition in definitions()])
def test_every_node_has_a_type_as_structural_schemas_must(kind):
    """FK-259."""
    schema = version(kind)["schema"]["openAPIV3Schema"]

    assert [
        node for node in nodes(schema) if "type" not in node and "x-kubernetes-int-or-string" not in node
    ] == []


def fields_named(rule):
    """Return the paths below self that a rule walks."""
    paths = re.findall(r"\b(?:self|oldSelf)((?:\.[a-zA-Z]+)+)(?![a-zA-Z(])", rule)
    return {tuple(path.strip(".").split(".")) for path in paths}


def has_field(schema, path):
    return not path or (
        path[0] in schema.get("properties", {}) and has_field(schema["properties"][path[0]], path[1:])
    )


@pytest.mark.parametrize("dialect", NAMED)
@pytest.mark.parametrize("kind", [definition["spec"]["names"]["kind"] for definition in definitions()])
def test_rules_name_only_fields_that_the_dialect_has(kind, dialect):
    schema = version(kind, dialect)["schema"]["openAPIV3Schema"]
    missing = [
        (rule["rule"], path)
        for node in nodes(schema)
        for rule in node.get("x-kubernetes-validations", ())
        for path in fields_named(rule["rule"])
        if not has_field(node, path)
    ]

    assert missing == []
