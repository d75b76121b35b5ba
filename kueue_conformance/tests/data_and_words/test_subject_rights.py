"""What a subject may do on a cluster that the harness makes:
what every one needs, or its role, and what its file adds.
"""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.history.footprint import AccessRight, how_to_grant, is_granted
from kueue_conformance.subject.declaration import declare
from kueue_conformance.subject.role import USUAL

from ..checkout import ROOT

HEAD = "apiVersion: kueue-conformance.dev/v1\nkind: Subject\nconnect: process:./mine\ncontrollerName: acme.io/budget\n"
CONFIGS = '{apiGroups: [""], resources: [configmaps], verbs: [get]}'
ROLE = f"kind: ClusterRole\nrules: [{CONFIGS}]\n"
KUEUE = "kueue.x-k8s.io"


def declare_subject(folder, text="", **files):
    for name, content in files.items():
        (folder / f"{name}.yaml").write_text(content)
    (folder / "subject.yaml").write_text(HEAD + text)
    return declare("", str(folder / "subject.yaml"), "")


@pytest.mark.parametrize(
    ("need", "may"),
    [
        pytest.param(AccessRight(KUEUE, "workloads", "watch"), True, id="follow Workloads"),
        pytest.param(AccessRight(KUEUE, "workloads/status", "patch"), True, id="write verdicts"),
        pytest.param(AccessRight(KUEUE, "admissionchecks/status", "update"), True, id="activate checks"),
        pytest.param(AccessRight(KUEUE, "workloads", "patch"), False, id="change Workloads"),
        pytest.param(AccessRight(KUEUE, "workloads", "delete"), False, id="delete Workloads"),
        pytest.param(AccessRight("", "secrets", "get"), False, id="read Secrets"),
        pytest.param(AccessRight("", "events", "create"), True, id="tell Events"),
        pytest.param(AccessRight("coordination.k8s.io", "leases", "update"), True, id="lead"),
        pytest.param(
            AccessRight("rbac.authorization.k8s.io", "clusterrolebindings", "create"),
            False,
            id="grant itself more",
        ),
    ],
)
def test_a_subject_that_declares_nothing_may_do_what_every_one_needs(tmp_path, need, may):
    assert is_granted(declare_subject(tmp_path).rights, need) is may


@pytest.mark.parametrize(
    ("text", "need"),
    [
        pytest.param(
            "parameters: {apiGroup: acme.io, kind: Policy, name: p}",
            AccessRight("acme.io", "policies", "watch"),
            id="parameters",
        ),
        pytest.param(
            "effects: {apiVersion: v1, kind: ConfigMap}",
            AccessRight("", "configmaps", "create"),
            id="effects",
        ),
        pytest.param(
            "drivers: {ready: {apply: told.yaml}}", AccessRight("", "configmaps", "list"), id="drivers"
        ),
        pytest.param(f"rules: [{CONFIGS}]", AccessRight("", "configmaps", "get"), id="rules"),
        pytest.param(f"rules: [{CONFIGS}]", AccessRight(KUEUE, "workloads", "watch"), id="beside its rules"),
    ],
)
def test_what_its_file_speaks_of_is_granted_besides(tmp_path, text, need):
    pod_template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '${workload}'}\n"

    assert is_granted(declare_subject(tmp_path, text, told=pod_template).rights, need)


def test_a_role_stands_in_place_of_what_every_one_needs(tmp_path):
    rights = declare_subject(tmp_path, "rbac: role.yaml", role=ROLE).rights

    assert [rule["resources"] for rule in rights] == [["configmaps"]]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        pytest.param("5", r"rules\[0\] is 5, expected a rule", id="number"),
        pytest.param("{verbs: [get]}", "lacks apiGroups or resources", id="of nothing"),
        pytest.param(
            "{apiGroups: [''], resources: [pods]}", r"verbs is None, expected a list of words", id="no verbs"
        ),
        pytest.param(
            "{apiGroups: '', resources: [pods], verbs: [get]}", "apiGroups is '', expected a list", id="text"
        ),
        pytest.param(
            "{apiGroups: [''], resource: [pods], verbs: [get]}", "unknown field of rules", id="word"
        ),
    ],
)
def test_what_is_wrong_with_a_rule_is_told(tmp_path, rule, why):
    with pytest.raises(UsageError, match=why):
        declare_subject(tmp_path, f"rules: [{rule}]")


def test_a_role_with_a_wrong_rule_is_told(tmp_path):
    with pytest.raises(UsageError, match=r"rules of role.yaml\[0\] is 5, expected a rule"):
        declare_subject(tmp_path, "rbac: role.yaml", role="kind: ClusterRole\nrules: [5]\n")


def test_the_sentence_about_a_missing_right_has_the_line_that_grants_it(tmp_path):
    lacked = [AccessRight("", "configmaps", "list"), AccessRight(KUEUE, "workloads", "patch")]
    line = how_to_grant(lacked).partition("add `")[2].partition("`")[0]

    assert all(is_granted(declare_subject(tmp_path, line).rights, right) for right in lacked)


def test_the_example_in_a_cluster_needs_no_more_than_the_usual_rights():
    import yaml

    manifest = ROOT / "examples/check_controllers/python/deployment.yaml"
    (role,) = [
        manifest_object
        for manifest_object in yaml.safe_load_all(manifest.read_text())
        if manifest_object["kind"] == "ClusterRole"
    ]
    needs = [
        AccessRight(group, resource, verb)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    ]

    assert all(is_granted(USUAL, need) for need in needs)


@pytest.mark.parametrize(
    "field", ["rbac: deep.yaml", "drivers: {ready: {apply: deep.yaml}}"], ids=["role", "manifest"]
)
def test_a_deep_manifest_is_told(tmp_path, field):
    with pytest.raises(UsageError, match="nested deeper than 100"):
        declare_subject(tmp_path, field, deep="kind: ClusterRole\na: " + "[" * 5000 + "]" * 5000)


def test_a_deep_subject_file_is_told(tmp_path):
    with pytest.raises(UsageError, match="nested deeper than 100"):
        declare_subject(tmp_path, "start: " + "{a: " * 5000 + "}" * 5000)
