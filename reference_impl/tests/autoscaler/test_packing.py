"""Golden packings: how many nodes, how many pods, and what is on each (PR-340…345)."""

from __future__ import annotations

import pytest

from reference_impl.autoscaler.simulation.packing import pack
from reference_impl.autoscaler.simulation.pod import Pod
from reference_impl.autoscaler.simulation.snapshot import ClusterSnapshot

from .objects import node, shape

GOLDEN = {
    "PR-340": (((5, 1500, 1), (6, 1000, 2)), ("4", "16Gi", "110"), 1000, (4, 11)),
    "PR-341": (((3, 1000, 1), (2, 3000, 4)), ("4", "8Gi", "110"), 1000, (3, 5)),
    "PR-342": (((10, 1000, 1),), ("4", "16Gi", "110"), 2, (2, 8)),
    "PR-343": (((7, 1000, 1),), ("8", "64Gi", "3"), 1000, (3, 7)),
    "PR-344": (((4, 500, 3), (4, 500, 1)), ("2", "8Gi", "110"), 1000, (2, 8)),
    "PR-345": (((16_000, 250, 1),), ("4", "16Gi", "110"), 1000, (1000, 16_000)),
    "PR-345, one more": (((16_001, 250, 1),), ("4", "16Gi", "110"), 1000, (1000, 16_000)),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_packing(name: str) -> None:
    sets, (cpu, memory, count), limit, expected = GOLDEN[name]
    pods = [
        Pod("ns", f"{index}-{replica}", kind)
        for index, (many, milli, gib) in enumerate(sets)
        for kind in (shape(f"{milli}m", f"{gib}Gi"),)
        for replica in range(many)
    ]
    snapshot = ClusterSnapshot()
    packed = pack(pods, node(cpu=cpu, memory=memory, count=count), snapshot, limit)
    assert (packed.nodes, len(packed.placed)) == expected
    assert not snapshot.node_infos, "packing leaves the snapshot as it was"


def test_what_fits_no_empty_node_takes_none() -> None:
    packed = pack([Pod("ns", "big", shape("5"))], node(), ClusterSnapshot())
    assert (packed.nodes, packed.placed) == (0, ())
