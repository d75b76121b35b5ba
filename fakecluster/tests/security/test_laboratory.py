"""Who reaches the laboratory of a cluster: administrators, and never the program that is
judged (issue 16, 13).
"""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.front import Front

JUDGED = User(name="judged")
AS_ADMIN = {"Impersonate-User": "admin", "Impersonate-Group": "system:masters"}
LETTING_IN = [
    {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "laboratory"},
        "rules": [{"nonResourceURLs": ["/_fakecluster/*"], "verbs": ["get"]}],
    },
    {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "laboratory"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "laboratory"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "judged"}],
    },
]


@pytest.fixture(params=["always-allow", "rbac"])
def cluster(request):
    with FakeCluster(controllers="none", tls=False, authorization=request.param) as fake_cluster:
        yield fake_cluster


def ask(cluster, method, path, user=JUDGED, **headers):
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)
    link.request(method, path, headers={"Authorization": f"Bearer {cluster.token(user)}", **headers})
    answer = link.getresponse()
    reply = answer.status, json.loads(answer.read() or b"{}")
    link.close()
    return reply


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param("GET", "faults", id="list faults"),
        pytest.param("DELETE", "faults", id="clear faults"),
        pytest.param("POST", "clusters/fork", id="fork"),
        pytest.param("GET", "journal", id="journal"),
        pytest.param("GET", "nothing", id="what there is not"),
    ],
)
def test_a_program_that_is_judged_does_not_reach_it(cluster, method, path):
    code, answer = ask(cluster, method, f"/_fakecluster/{path}")

    assert (code, answer["reason"]) == (403, "Forbidden")
    assert f'User "judged" cannot {method.lower()} path "/_fakecluster/{path}"' in answer["message"]


def test_a_program_that_is_judged_does_not_reach_it_as_somebody_else(cluster):
    assert ask(cluster, "GET", "/_fakecluster/faults", **AS_ADMIN)[0] == 403


def test_an_administrator_reaches_it(cluster):
    assert (
        ask(cluster, "GET", "/_fakecluster/faults", User(name="admin", groups=("system:masters",)))[0] == 200
    )


def test_an_administrator_who_acts_as_the_program_has_its_rights(cluster):
    masters = User(name="admin", groups=("system:masters",))

    assert ask(cluster, "GET", "/_fakecluster/faults", masters, **{"Impersonate-User": "judged"})[0] == 403


def test_a_role_lets_in_only_where_roles_count(cluster):
    cluster.apply(LETTING_IN)

    code, _ = ask(cluster, "GET", "/_fakecluster/faults")

    assert code == (200 if cluster._options.authorization == "rbac" else 403)


@pytest.mark.parametrize(
    "path", ["/_fakecluster/faults", "/_fakecluster/", "/_fakecluster/clusters/fork"], ids=str
)
def test_a_front_passes_no_path_of_the_laboratory_on(tmp_path, path):
    with FakeCluster(controllers="none", tls=False) as behind:
        behind.kubeconfig(tmp_path / "behind")
        with Front.of_kubeconfig(tmp_path / "behind") as front:
            assert front.call(lambda: front._handler._authentication.refusal(_arrived(path))).code == 403
            assert front.call(lambda: front._handler._authentication.refusal(_arrived("/api"))) is None


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"host": "evil.example"}, id="name that was made to lead here"),
        pytest.param({"host": "127.0.0.1:1", "origin": "http://evil.example"}, id="page of another name"),
    ],
)
def test_a_front_answers_no_foreign_page(tmp_path, headers):
    with FakeCluster(controllers="none", tls=False) as behind:
        behind.kubeconfig(tmp_path / "behind")
        with Front.of_kubeconfig(tmp_path / "behind") as front:
            assert (
                front.call(
                    lambda: front._handler._authentication.refusal(_arrived("/api", tuple(headers.items())))
                ).code
                == 403
            )


def _arrived(path, headers=(("host", "127.0.0.1:1"),)):
    from fakecluster.server.http.message import ArrivedRequest

    return ArrivedRequest(method="GET", target=path, headers=headers)
