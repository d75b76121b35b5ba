"""Impersonation through a front, and a front that listens on more than this machine's loopback address."""

from __future__ import annotations

import pytest

from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream

from .conftest import MAPS, Client, config_map

ACCOUNT = "system:serviceaccount:acme:budget"
BINDING = {
    "metadata": {"name": "budget"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "lister"},
    "subjects": [{"kind": "ServiceAccount", "name": "budget", "namespace": "acme"}],
}
BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
LISTER = {
    "metadata": {"name": "lister"},
    "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}],
}


@pytest.fixture
def stead(front):
    """Asks in the name of a service account."""
    front.impersonate("clara", ACCOUNT)
    client = Client(front, "clara")
    yield client
    client.link.close()


def test_the_rights_are_those_of_the_other(behind, client, stead):
    client.ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", LISTER)
    client.ask("POST", BINDINGS, BINDING)

    code, body = stead.ask("POST", MAPS, config_map("a"))

    assert (code, stead.ask("GET", MAPS)[0]) == (403, 200)
    assert f'User "{ACCOUNT}" cannot create resource "configmaps"' in body["message"]


def test_the_journal_knows_who_came(front, behind, stead):
    stead.ask("GET", MAPS)

    assert [entry.user for entry in front.journal.where(verb="list")] == ["clara"]
    assert [entry.user for entry in behind.journal.where(verb="list")] == [ACCOUNT]


def test_nobody_is_two_others(stead, client):
    code, body = stead.ask("GET", MAPS, Impersonate_User="dora")

    assert (code, body["reason"]) == (403, "Forbidden")
    assert f"impersonates '{ACCOUNT}'" in body["message"]
    assert client.ask("GET", MAPS, Impersonate_User="dora")[0] == 403


def test_it_stands_where_it_is_told_to(behind):
    upstream = Upstream(url=behind.url, token=lambda: f"Bearer {behind.token()}")

    with Front(upstream, host="127.0.0.2") as front:
        client = Client(front, "anna")

        assert front.url.startswith("https://127.0.0.2:")
        assert client.ask("GET", MAPS)[0] == 200
        client.link.close()
