"""What the server needs of flow control comes back a minute after it was taken away (FK-520)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakecluster.base.json_types import Json
from fakecluster.cluster.fake_cluster import FakeCluster

SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"
LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations"
AUTOMATIC = "apf.kubernetes.io/autoupdate-spec"
MERGE = {"content-type": "application/merge-patch+json"}


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with FakeCluster(controllers="none", tls=False) as fake_cluster:
        yield fake_cluster


def schema(cluster: FakeCluster, name: str) -> tuple[Any, ...]:
    restored = cluster.request("GET", f"{SCHEMAS}/{name}")
    notes = restored["metadata"].get("annotations") or {}
    return notes.get(AUTOMATIC), restored["spec"]["matchingPrecedence"], restored["metadata"]["generation"]


def change(cluster: FakeCluster, name: str, patch: Json) -> None:
    cluster.request("PATCH", f"{SCHEMAS}/{name}", patch, headers=MERGE)
    cluster.advance(60)


@pytest.mark.parametrize(
    "path",
    [f"{SCHEMAS}/catch-all", f"{SCHEMAS}/service-accounts", f"{LEVELS}/workload-low"],
    ids=["needed", "suggested", "level"],
)
def test_what_was_removed_comes_back_fk_520(cluster: FakeCluster, path: str) -> None:
    before = cluster.request("GET", path)
    cluster.request("DELETE", path)
    cluster.advance(60)
    after = cluster.request("GET", path)

    assert (after["spec"], after["metadata"]["uid"] != before["metadata"]["uid"]) == (before["spec"], True)


@pytest.mark.parametrize(
    ("name", "patch", "expected"),
    [
        ("service-accounts", {"spec": {"matchingPrecedence": 8999}}, ("true", 9000, 3)),
        (
            "global-default",
            {"metadata": {"annotations": {AUTOMATIC: "false"}}, "spec": {"matchingPrecedence": 8998}},
            ("false", 8998, 2),
        ),
        ("system-nodes", {"metadata": {"annotations": None}}, ("true", 500, 1)),
        (
            "service-accounts",
            {"metadata": {"annotations": None}, "spec": {"matchingPrecedence": 8999}},
            ("false", 8999, 2),
        ),
        ("catch-all", {"metadata": {"annotations": {AUTOMATIC: "false"}}}, ("true", 10000, 1)),
    ],
    ids=["changed", "taken over", "unmarked", "changed and unmarked", "needed"],
)
def test_what_was_changed_is_as_it_was_unless_it_is_theirs_fk_520(
    cluster: FakeCluster, name: str, patch: Json, expected: tuple[Any, ...]
) -> None:
    change(cluster, name, patch)

    assert schema(cluster, name) == expected


def test_nothing_is_due_where_nothing_was_changed_fk_520(cluster: FakeCluster) -> None:
    cluster.request("PATCH", f"{SCHEMAS}/exempt", {"metadata": {"labels": {"a": "b"}}}, headers=MERGE)

    assert cluster.virtual_clock.next_due() is None
