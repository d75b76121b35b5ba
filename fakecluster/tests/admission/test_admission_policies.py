"""ValidatingAdmissionPolicies: which writes they judge, and what they say (FK-320)."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest

from fakecluster import FakeCluster
from fakecluster.api.status import StatusError

GROUP = "admissionregistration.k8s.io/v1"
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
ALL = {"apiGroups": [""], "apiVersions": ["*"], "operations": ["*"], "resources": ["configmaps"]}
SAYS = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: {}"


def policy(*validations, rule=ALL, constraints=None, name="p", **spec):
    match = {"resourceRules": [rule], **(constraints or {})}
    validation_list = validations or ({"expression": "object.data.k != 'bad'", "message": "k is bad"},)
    return {
        "apiVersion": GROUP,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {"matchConstraints": match, "validations": list(validation_list), **spec},
    }


def binding(*actions, name="b", **spec):
    return {
        "apiVersion": GROUP,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": {"policyName": "p", "validationActions": list(actions or ("Deny",)), **spec},
    }


def config_map(name="v", **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


@pytest.fixture
def cluster():
    with FakeCluster() as running:
        yield running


def refusal(cluster, obj):
    with pytest.raises(StatusError) as refused:
        cluster.request("POST", CONFIGMAPS, obj)
    return refused.value.status


def test_a_write_that_is_bad_is_refused_and_others_are_not(cluster):
    cluster.apply([policy(), binding()])
    cluster.request("POST", CONFIGMAPS, config_map("good", k="good"))

    status = refusal(cluster, config_map(k="bad"))

    assert (status["code"], status["reason"]) == (422, "Invalid")
    assert status["message"] == f'configmaps "v" is forbidden: {SAYS.format("k is bad")}'
    assert status["details"]["causes"] == [{"message": SAYS.format("k is bad")}]


def test_nothing_is_refused_without_a_binding_and_again_when_it_is_gone(cluster):
    cluster.apply([policy()])
    cluster.request("POST", CONFIGMAPS, config_map("before", k="bad"))
    cluster.apply([binding()])
    assert refusal(cluster, config_map(k="bad"))
    cluster.request("DELETE", f"/apis/{GROUP}/validatingadmissionpolicybindings/b")

    cluster.request("POST", CONFIGMAPS, config_map("after", k="bad"))


@pytest.mark.parametrize(
    ("validation", "message", "code"),
    [
        pytest.param(
            {"expression": "object.data.k != 'bad'"},
            "failed expression: object.data.k != 'bad'",
            422,
            id="its-expression",
        ),
        pytest.param(
            {"expression": "false", "messageExpression": "'not ' + object.data.k"},
            "not bad",
            422,
            id="an-expression-of-its-own",
        ),
        pytest.param(
            {"expression": "false", "messageExpression": "string(object.data.none)", "message": "no"},
            "no",
            422,
            id="the-message-where-that-fails",
        ),
        pytest.param(
            {"expression": "false", "message": "no", "reason": "Forbidden"}, "no", 403, id="another-reason"
        ),
        pytest.param(
            {"expression": "object.data.none == ''"},
            "expression 'object.data.none == ''' resulted in error: no such key: none",
            422,
            id="an-error",
        ),
    ],
)
def test_what_is_said(cluster, validation, message, code):
    cluster.apply([policy(validation), binding()])

    status = refusal(cluster, config_map(k="bad"))

    assert (status["message"].partition("forbidden: ")[2], status["code"]) == (SAYS.format(message), code)


def test_an_error_is_passed_over_where_the_policy_says_so(cluster):
    cluster.apply([policy({"expression": "object.data.none == ''"}, failurePolicy="Ignore"), binding()])

    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))


def test_a_binding_that_warns_refuses_nothing():
    with FakeCluster(tls=False) as cluster:
        cluster.apply([policy(), binding("Warn")])
        headers = {"authorization": f"Bearer {cluster.token()}", "content-type": "application/json"}
        body = json.dumps(config_map(k="bad")).encode()

        with urlopen(Request(cluster.url + CONFIGMAPS, body, headers), timeout=10) as answer:
            warned = answer.headers.get_all("Warning")

    message = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': k is bad"
    assert warned == [f'299 - "{message}"']


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param({**ALL, "operations": ["UPDATE"]}, id="of-another-operation"),
        pytest.param({**ALL, "resources": ["secrets"]}, id="of-another-resource"),
        pytest.param({**ALL, "resources": ["configmaps/status"]}, id="of-a-subresource"),
        pytest.param({**ALL, "resourceNames": ["other"]}, id="of-another-name"),
    ],
)
def test_a_write_that_no_rule_is_about_is_not_judged(cluster, rule):
    cluster.apply([policy(rule=rule), binding()])

    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))


@pytest.mark.parametrize(
    "constraints",
    [
        pytest.param({"excludeResourceRules": [{**ALL, "resourceNames": ["v"]}]}, id="left-out"),
        pytest.param({"namespaceSelector": {"matchLabels": {"judged": "yes"}}}, id="of-another-namespace"),
        pytest.param({"objectSelector": {"matchLabels": {"judged": "yes"}}}, id="of-other-labels"),
    ],
)
def test_a_write_that_the_constraints_leave_out_is_not_judged(cluster, constraints):
    cluster.apply([policy(constraints=constraints), binding()])

    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))


def test_a_binding_may_narrow_its_policy(cluster):
    only = {"resourceRules": [{**ALL, "resourceNames": ["w"]}]}
    cluster.apply([policy(), binding(matchResources=only)])
    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))

    assert refusal(cluster, config_map("w", k="bad"))["code"] == 422


def test_a_binding_for_some_namespaces_needs_no_rules(cluster):
    own = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "default"}}}
    cluster.apply([policy(), binding(matchResources=own)])

    assert refusal(cluster, config_map(k="bad"))["code"] == 422


def test_conditions_and_variables(cluster):
    cluster.apply(
        [
            policy(
                {"expression": "variables.k in variables.known", "message": "unknown"},
                variables=[
                    {"name": "known", "expression": "['a', 'b']"},
                    {"name": "k", "expression": "object.data.k"},
                ],
                matchConditions=[{"name": "with-k", "expression": "has(object.data.k)"}],
            ),
            binding(),
        ]
    )
    cluster.request("POST", CONFIGMAPS, config_map("none", other="x"))
    cluster.request("POST", CONFIGMAPS, config_map("a", k="a"))

    assert SAYS.format("unknown") in refusal(cluster, config_map(k="c"))["message"]


def test_a_deletion_shows_the_old_object_and_the_namespace(cluster):
    cluster.apply(
        [
            policy(
                {
                    "expression": "request.operation != 'DELETE' || oldObject.data.k != namespaceObject.metadata.name"
                }
            ),
            binding(),
        ]
    )
    cluster.request("POST", CONFIGMAPS, config_map("kept", k="default"))
    cluster.request("POST", CONFIGMAPS, config_map("goes", k="other"))
    cluster.request("DELETE", f"{CONFIGMAPS}/goes")

    with pytest.raises(StatusError, match="denied request"):
        cluster.request("DELETE", f"{CONFIGMAPS}/kept")


def test_a_policy_with_parameters_is_kept_and_not_asked(cluster):
    of = {"apiVersion": "v1", "kind": "ConfigMap"}
    where = {"name": "x", "namespace": "default", "parameterNotFoundAction": "Deny"}
    cluster.apply([policy({"expression": "false"}, paramKind=of), binding(paramRef=where)])

    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))


def test_policies_are_never_judged_by_policies(cluster):
    everything = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
    cluster.apply([policy({"expression": "false"}, rule=everything), binding()])

    cluster.request("DELETE", f"/apis/{GROUP}/validatingadmissionpolicies/p")
    cluster.request("POST", CONFIGMAPS, config_map(k="bad"))


def test_a_subresource_is_judged_by_its_name(cluster):
    rule = {**ALL, "operations": ["UPDATE"], "resources": ["nodes/status"]}
    none = "!has(object.status.conditions) || !object.status.conditions.exists(c, c.type in ['Ready'])"
    cluster.apply([policy({"expression": none, "message": "not now"}, rule=rule), binding()])
    obj = cluster.request(
        "POST", "/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    )
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}

    with pytest.raises(StatusError, match="not now"):
        cluster.request("PUT", "/api/v1/nodes/n/status", {**obj, "status": ready})

    assert cluster.request(
        "PUT", "/api/v1/nodes/n", {**obj, "metadata": {**obj["metadata"], "labels": {"a": "b"}}}
    )
