"""Quotas count what there is, and bound what comes (FK-504)."""

import pytest

PODS = "/api/v1/namespaces/default/pods"
QUOTAS = "/api/v1/namespaces/default/resourcequotas"
MAPS = "/api/v1/namespaces/default/configmaps"
POD = {"spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "300m"}}}]}}


@pytest.fixture
def counted(make_world):
    world = make_world("quotas")
    for name in ("p", "q"):
        world.ask("POST", PODS, {"metadata": {"name": name}, **POD})
    hard = {"pods": "3", "cpu": "1", "count/configmaps": "1"}
    world.ask("POST", QUOTAS, {"metadata": {"name": "r"}, "spec": {"hard": hard}})
    return world


def usage(world):
    return world.ask("GET", f"{QUOTAS}/r")["status"]["used"]


def test_a_new_quota_counts_what_there_is_fk_504(counted):
    assert usage(counted) == {"pods": "2", "cpu": "600m", "count/configmaps": "0"}


def test_what_comes_is_counted_until_nothing_is_left_fk_504(counted):
    codes = [counted.ask("POST", PODS, {"metadata": {"name": name}, **POD}).get("code") for name in "st"]

    assert codes == [None, 403]
    assert usage(counted)["pods"] == "3"


def test_what_is_refused_is_not_counted_fk_504(counted):
    counted.ask("POST", PODS, {"metadata": {"name": "p"}, **POD})

    assert usage(counted)["pods"] == "2"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", f"{PODS}/p", {"gracePeriodSeconds": 0}),
        ("PATCH", f"{PODS}/p/status", {"status": {"phase": "Succeeded"}}),
    ],
    ids=["went", "ended"],
)
def test_what_goes_leaves_room_fk_504(counted, method, path, body):
    counted.ask(method, path, body)

    assert usage(counted) == {"pods": "1", "cpu": "300m", "count/configmaps": "0"}


def test_another_bound_is_told_fk_504(counted):
    counted.ask(
        "PATCH", f"{QUOTAS}/r", {"spec": {"hard": {"pods": "9", "cpu": None, "count/configmaps": None}}}
    )

    assert counted.ask("GET", f"{QUOTAS}/r")["status"] == {"hard": {"pods": "9"}, "used": {"pods": "2"}}


def test_objects_of_any_kind_are_counted_fk_504(counted):
    counted.ask("PATCH", f"{QUOTAS}/r", {"spec": {"hard": {"count/leases.coordination.k8s.io": "1"}}})
    path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
    codes = [counted.ask("POST", path, {"metadata": {"name": name}}).get("code") for name in "ab"]

    assert codes == [None, 403]
