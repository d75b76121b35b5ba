"""Secrets of type service-account-token are filled, and live with their ServiceAccount (FK-404)."""

from base64 import b64decode

import pytest

SECRETS = "/api/v1/namespaces/default/secrets"
ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"
NAME, UID = "kubernetes.io/service-account.name", "kubernetes.io/service-account.uid"


def secret(account="bob", **annotations):
    return {
        "metadata": {"name": "t", "annotations": {NAME: account, **annotations}},
        "type": "kubernetes.io/service-account-token",
    }


def add_account(world, name="bob"):
    return world.ask("POST", ACCOUNTS, {"metadata": {"name": name}})


def token(world):
    return b64decode(world.ask("GET", f"{SECRETS}/t")["data"]["token"]).decode()


def review(world, text, **spec):
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": text, **spec}}
    return world.ask("POST", REVIEWS, body)["status"]


def test_a_secret_is_filled_fk_404(world):
    account = add_account(world)
    world.ask("POST", SECRETS, secret())
    stored = world.ask("GET", f"{SECRETS}/t")

    assert stored["metadata"]["annotations"] == {NAME: "bob", UID: account["metadata"]["uid"]}
    assert sorted(stored["data"]) == ["ca.crt", "namespace", "token"]
    assert b64decode(stored["data"]["namespace"]) == b"default"


def test_its_token_authenticates_fk_390(world):
    account = add_account(world)
    world.ask("POST", SECRETS, secret())

    assert review(world, token(world)) == {
        "authenticated": True,
        "audiences": ["https://kubernetes.default.svc"],
        "user": {
            "username": "system:serviceaccount:default:bob",
            "uid": account["metadata"]["uid"],
            "groups": ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        },
    }
    labels = world.ask("GET", f"{SECRETS}/t")["metadata"]["labels"]
    assert labels == {"kubernetes.io/legacy-token-last-used": "2026-01-01"}


def test_members_that_are_taken_away_come_back_fk_404(world):
    add_account(world)
    world.ask("POST", SECRETS, secret())
    before = world.ask("GET", f"{SECRETS}/t")["data"]
    world.ask("PATCH", f"{SECRETS}/t", {"data": {"token": None, "namespace": None, "ca.crt": "YWJj"}})

    assert world.ask("GET", f"{SECRETS}/t")["data"] == before


@pytest.mark.parametrize(
    "manifest", [secret("ghost"), secret(**{UID: "other"})], ids=["no account", "another account"]
)
def test_a_secret_without_its_account_is_deleted_fk_404(world, manifest):
    add_account(world)
    world.ask("POST", SECRETS, manifest)

    assert world.names(SECRETS) == []


def test_a_secret_goes_with_its_account_fk_404(world):
    add_account(world)
    world.ask("POST", SECRETS, secret())
    text = token(world)
    world.ask("DELETE", f"{ACCOUNTS}/bob")

    assert world.names(SECRETS) == []
    assert review(world, text)["error"] == "[invalid bearer token, Token has been invalidated]"


def test_an_account_forgets_a_secret_that_goes_fk_404(world):
    add_account(world)
    world.ask("POST", SECRETS, secret())
    world.ask("PATCH", f"{ACCOUNTS}/bob", {"secrets": [{"name": "t"}, {"name": "other"}]})
    world.ask("DELETE", f"{SECRETS}/t")

    assert world.ask("GET", f"{ACCOUNTS}/bob")["secrets"] == [{"name": "other"}]


@pytest.mark.parametrize(
    ("patch", "spec", "problem"),
    [
        ({"data": {"token": "YWJj"}}, {}, "Token does not match server's copy"),
        (
            {"metadata": {"labels": {"kubernetes.io/legacy-token-invalid-since": "2025-01-01"}}},
            {},
            "the token in secret default/t for service account default/bob has been marked invalid",
        ),
        (
            {},
            {"audiences": ["other"]},
            'token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["other"]',
        ),
    ],
    ids=["replaced", "marked", "audience"],
)
def test_a_token_that_is_not_good_says_why_fk_390(world, patch, spec, problem):
    add_account(world)
    world.ask("POST", SECRETS, secret())
    text = token(world)
    world.ask("PATCH", f"{SECRETS}/t", patch)

    assert review(world, text, **spec)["error"].startswith(f"[invalid bearer token, {problem}")


def test_nothing_is_made_without_such_a_controller_fk_404(make_world):
    world = make_world("accounts")
    add_account(world)
    world.ask("POST", SECRETS, secret())

    assert "data" not in world.ask("GET", f"{SECRETS}/t")
