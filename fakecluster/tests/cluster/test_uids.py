"""Random identities are UUIDs of version 4, the same ones from the same seed (FK-061)."""

from __future__ import annotations

from random import Random
from uuid import UUID

import pytest

from fakecluster.base.uids import uid


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"seed-{seed}") for seed in range(20)])
def test_uids_are_those_of_the_standard_library(seed):
    bits = Random(seed).getrandbits(128)

    assert uid(Random(seed)) == str(UUID(int=bits, version=4))
