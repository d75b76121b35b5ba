"""How pods come to a front: what a client in a cluster goes by leads there (H-47)."""

import base64

import pytest

from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream
from kueue_conformance.subject.front_access import MOUNT, FrontAccess, account_of

ACCOUNT = "system:serviceaccount:acme:budget"
PASSAGE = FrontAccess(host="172.18.0.1", port="4711", token="secret", authority="Y2E=", account=ACCOUNT)
HERE = [
    {"name": "KUBERNETES_SERVICE_HOST", "value": "172.18.0.1"},
    {"name": "KUBERNETES_SERVICE_PORT", "value": "4711"},
]
OURS = {"name": "kueue-conformance-front", "mountPath": MOUNT, "readOnly": True}
LOG = {"name": "log", "mountPath": "/log"}


def pod(*containers, **fields):
    return {
        "serviceAccountName": "budget",
        "containers": list(containers) or [{"name": "controller"}],
        **fields,
    }


def deployment(spec, kind="Deployment"):
    metadata = {"name": "budget-run-1", "namespace": "acme"}
    return {
        "kind": kind,
        "metadata": metadata,
        "spec": spec if kind == "Pod" else {"replicas": 1, "template": {"spec": spec}},
    }


@pytest.mark.parametrize("kind", ["Deployment", "Pod"])
def test_pods_find_the_front_where_they_look_for_the_server(kind):
    secret, led = PASSAGE.objects_through_front(deployment(pod(), kind))
    spec = led["spec"] if kind == "Pod" else led["spec"]["template"]["spec"]

    assert secret["metadata"] == {"name": "budget-run-1-front", "namespace": "acme"}
    assert (secret["data"], secret["stringData"]) == (
        {"ca.crt": "Y2E="},
        {"token": "secret", "namespace": "acme"},
    )
    assert spec["volumes"] == [{"name": OURS["name"], "secret": {"secretName": "budget-run-1-front"}}]
    assert spec["containers"] == [{"name": "controller", "env": HERE, "volumeMounts": [OURS]}]


@pytest.mark.parametrize(
    ("container", "env", "mounts"),
    [
        pytest.param(
            {"env": [{"name": "A", "value": "1"}]},
            [{"name": "A", "value": "1"}, *HERE],
            [OURS],
            id="variables stay",
        ),
        pytest.param(
            {"env": [{"name": HERE[0]["name"], "value": "10.0.0.1"}]}, HERE, [OURS], id="another address goes"
        ),
        pytest.param({"volumeMounts": [LOG]}, HERE, [LOG, OURS], id="files stay"),
        pytest.param(
            {"volumeMounts": [{"name": "token", "mountPath": f"{MOUNT}/"}]},
            HERE,
            [OURS],
            id="another token goes",
        ),
    ],
)
def test_what_else_a_container_has_is_left_to_it(container, env, mounts):
    _, led = PASSAGE.objects_through_front(
        deployment(pod({"name": "main"}, initContainers=[container], volumes=[{"name": "log"}]))
    )
    spec = led["spec"]["template"]["spec"]

    assert (spec["initContainers"][0]["env"], spec["initContainers"][0]["volumeMounts"]) == (env, mounts)
    assert [volume["name"] for volume in spec["volumes"]] == ["log", OURS["name"]]


def test_pods_of_another_account_go_to_the_server():
    other = deployment(pod(serviceAccountName="migration"), "Job")

    assert PASSAGE.objects_through_front(other) == [other]


@pytest.mark.parametrize(
    ("objects", "account"),
    [
        pytest.param([{"kind": "Namespace"}, deployment(pod())], ACCOUNT, id="named"),
        pytest.param(
            [deployment(pod(serviceAccountName=""))],
            "system:serviceaccount:acme:default",
            id="the namespace's own",
        ),
        pytest.param([{"kind": "Namespace"}], "system:serviceaccount:default:default", id="no pods"),
    ],
)
def test_who_its_pods_are(objects, account):
    assert account_of(objects) == account


def test_the_way_is_in_the_kubeconfig_of_a_user_of_the_front(tmp_path):
    with Front(Upstream(url="http://127.0.0.1:1")) as front:
        front.kubeconfig(tmp_path / "config", "me")
        kubeconfig = FrontAccess.of_kubeconfig(str(tmp_path / "config"), ACCOUNT)

        assert f"https://{kubeconfig.host}:{kubeconfig.port}" == front.url
        assert (kubeconfig.token, kubeconfig.account) == (front.token("me"), ACCOUNT)
        assert base64.b64decode(kubeconfig.authority).startswith(b"-----BEGIN CERTIFICATE")
