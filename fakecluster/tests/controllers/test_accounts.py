"""Every namespace has an account and the cluster's authority (FK-347, FK-463)."""

import pytest

PLACES = {
    "account": "/api/v1/namespaces/x/serviceaccounts/default",
    "authority": "/api/v1/namespaces/x/configmaps/kube-root-ca.crt",
}


@pytest.fixture
def namespace(world):
    world.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}})
    return world


@pytest.mark.parametrize("path", PLACES.values(), ids=PLACES)
def test_a_new_namespace_gets_both_fk_463(namespace, path):
    assert namespace.ask("GET", path)["metadata"]["namespace"] == "x"


@pytest.mark.parametrize("path", PLACES.values(), ids=PLACES)
def test_what_is_deleted_comes_back_fk_463(namespace, path):
    before = namespace.ask("GET", path)["metadata"]["uid"]
    namespace.ask("DELETE", path)

    assert namespace.ask("GET", path)["metadata"]["uid"] != before


def test_a_changed_authority_is_restored_fk_463(namespace):
    namespace.ask("PATCH", PLACES["authority"], {"data": {"ca.crt": "mine", "more": "x"}})

    assert namespace.ask("GET", PLACES["authority"])["data"] == {"ca.crt": "the certificates of the cluster"}


def test_nothing_comes_back_into_a_namespace_that_goes_fk_463(namespace):
    namespace.ask("DELETE", "/api/v1/namespaces/x")

    assert "x" not in namespace.names("/api/v1/namespaces")
    assert namespace.refusals() == []
