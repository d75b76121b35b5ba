"""The order in which requested resources are looked at (Q-161)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.scheduling import flavor_assigner

IN_ORDER = [
    "ephemeral-storage",
    "amd.com/gpu",
    "memory",
    "nvidia.com/gpu",
    "pods",
    "hugepages-1Gi",
    "example.com/gpu",
    "hugepages-2Mi",
    "cpu",
]


def test_resources_are_visited_by_the_hash_of_their_names_q_161() -> None:
    assert flavor_assigner.sort_resources(sorted(IN_ORDER)) == IN_ORDER


def test_equal_hashes_are_visited_by_name_q_161(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flavor_assigner, "_fnv1a", lambda _name: 0)

    assert flavor_assigner.sort_resources(["b", "a"]) == ["a", "b"]
