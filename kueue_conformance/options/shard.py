"""A shard of a run: which part of how many, divided by which costs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.errors import UsageError
from ..base.numbers import whole
from ..scenarios.case_costs import SHIPPED, CaseCosts, read_case_costs

SEED = 1
"""The seed of a shard without --seed: a drawn one would differ between the machines of a run."""
MOST_SHARDS = 1000


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `count`, counted from 1."""

    number: int
    count: int
    costs: CaseCosts

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def read_shard(text: str, costs_file: str) -> Shard | None:
    """Return the shard that a text such as `2/3` names, None without a text. Raises UsageError."""
    if not text:
        if costs_file:
            raise UsageError(
                f"--shard-costs {costs_file!r} is given, and the run is not divided",
                hint="add --shard, for example --shard 1/3",
            )
        return None
    number, count = (whole(word) for word in (*text.split("/"), "", "")[:2])
    if text.count("/") != 1 or number is None or count is None or not 1 <= number <= count <= MOST_SHARDS:
        raise UsageError(
            f"--shard is {text!r}, expected K/N: shard K of N, K from 1 to N, N up to {MOST_SHARDS}",
            hint="for example --shard 1/3, --shard 2/3 and --shard 3/3",
        )
    return Shard(number, count, read_case_costs(Path(costs_file) if costs_file else SHIPPED))
