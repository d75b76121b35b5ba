"""Cases of a scenario: every combination of its dimensions, or enough of them to cover every pair."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Parameters = Mapping[str, Any]
NO_PARAMETERS: Parameters = MappingProxyType({})
VERSION = "version"
"""The dimension for the API version that users and check controllers use."""
NEWEST = "v1beta2"
DATA, PLAIN, DRAWN, NAMESAKES = "data", "plain", "drawn", "namesakes"
"""The dimension for names and texts: plain, what is at the limits of the API, drawn with the seed, or beside
objects of the same names in another namespace.
"""
SAMPLED = 4
"""One of so many examples of a rule is run as a sample."""


def version_of(case: Parameters) -> str:
    """Return the API version of a case."""
    return str(case.get(VERSION, NEWEST))


@dataclass(frozen=True, slots=True)
class Cases:
    """Named dimensions and the combinations that are run, in a fixed order."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    examples: bool = False
    """Whether each row is an example of the same rule,
    such as the lines of a table, and not a combination of dimensions.
    """

    def parameters(self) -> Sequence[Parameters]:
        """Return each case as a mapping from dimension to value."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]

    def besides(self, cases: Cases) -> Cases:
        """Add combinations of the same dimensions."""
        assert cases.names == self.names, "both must name the same dimensions in the same order"
        return Cases(self.names, (*self.rows, *(row for row in cases.rows if row not in self.rows)))

    def without(self, **values: Any) -> Cases:
        """Leave out the combinations that have all of these values, such as duplicates of another case."""
        left_out = values.items()
        return Cases(
            self.names,
            tuple(
                row for row in self.rows if not left_out <= dict(zip(self.names, row, strict=True)).items()
            ),
        )

    def of_each_value(self) -> Cases:
        """Return few of the combinations in which every value of every dimension occurs."""
        cells = [frozenset(enumerate(map(repr, row))) for row in self.rows]
        missing = set[tuple[int, str]]().union(*cells)
        chosen = [0] if self.rows and not missing else list[int]()
        while missing:
            best = max(range(len(cells)), key=lambda at: len(missing & cells[at]))
            chosen.append(best)
            missing -= cells[best]
        return Cases(self.names, tuple(self.rows[at] for at in sorted(chosen)))

    def by_api_version(self) -> Mapping[str, Cases]:
        """Return the combinations by the API version in which users and check controllers speak."""
        versions = [version_of(case) for case in self.parameters()]
        return {
            version: Cases(
                self.names,
                tuple(row for row, spoken in zip(self.rows, versions, strict=True) if spoken == version),
                self.examples,
            )
            for version in dict.fromkeys(versions)
        }

    def also_drawn(self, **values: Any) -> Cases:
        """Add combinations with drawn names and texts:
        those that have all of these values, without any few in which every value occurs.

        The dimension is `data`, which the test does not take: the nouns draw for it.
        """
        return self._also(DRAWN, values)

    def also_beside_namesakes(self, **values: Any) -> Cases:
        """Add combinations in which everything that is submitted has a namesake in another namespace, chosen
        as those of `also_drawn`; the dimension is the same.
        """
        return self._also(NAMESAKES, values)

    def _also(self, data: str, values: Parameters) -> Cases:
        has_data = self.names[-1:] == (DATA,)
        plain = Cases(
            self.names[:-1] if has_data else self.names,
            tuple(row[:-1] for row in self.rows if row[-1] == PLAIN) if has_data else self.rows,
        )
        chosen = values.items()
        added = (
            [row for row in plain.rows if chosen <= dict(zip(plain.names, row, strict=True)).items()]
            if values
            else plain.of_each_value().rows
        )
        rows = self.rows if has_data else tuple((*row, PLAIN) for row in plain.rows)
        return Cases((*plain.names, DATA), (*rows, *((*row, data) for row in added)), self.examples)

    def deal(self, runs: int) -> Sequence[Cases]:
        """Deal some of the rows to each of several runs,
        at least one to each, beside one run that has all rows.

        A share has every value of every dimension, or a sample of the examples. The run that has all rows is
        dealt a share like the others.
        """
        few = self.rows[::SAMPLED] if self.examples else self.of_each_value().rows
        sample = itertools.cycle([row for row in self.rows if row not in few] or few)
        dealt = [few[at :: runs + 1] or tuple(itertools.islice(sample, 1)) for at in range(runs)]
        return [Cases(self.names, rows) for rows in dealt]


ONE_CASE = Cases((), ((),))


def cross(**dimensions: Sequence[Any]) -> Cases:
    """Return every combination."""
    return Cases(tuple(dimensions), tuple(itertools.product(*dimensions.values())))


def pairwise(**dimensions: Sequence[Any]) -> Cases:
    """Return few combinations in which every pair of values of two dimensions occurs."""
    names = tuple(dimensions)
    every = list(itertools.product(*dimensions.values()))
    missing = {pair for row in every for pair in _pairs(row)}
    chosen: list[tuple[Any, ...]] = []
    while missing:
        best = max(every, key=lambda row: len(missing.intersection(_pairs(row))))
        chosen.append(best)
        missing.difference_update(_pairs(best))
    return Cases(names, tuple(chosen) or tuple(every))


def rows(names: str, *combinations: Sequence[Any]) -> Cases:
    """Return exactly these combinations; `names` are the dimensions, separated by spaces."""
    return Cases(tuple(names.split()), tuple(map(tuple, combinations)))


def _pairs(row: tuple[Any, ...]) -> list[tuple[int, Any, int, Any]]:
    cells = list(enumerate(row))
    if len(cells) == 1:
        return [(0, row[0], 0, row[0])]
    return [(i, a, j, b) for (i, a), (j, b) in itertools.combinations(cells, 2)]


def case_id(parameters: Parameters) -> str:
    """Return the readable part of a case's id, such as `2-checks-job`; the newest API version and plain data
    are left out, and so are objects beside a word that names them.
    """
    parameters_of_id = [
        (name, value)
        for name, value in parameters.items()
        if (name, value) not in ((VERSION, NEWEST), (DATA, PLAIN))
    ]
    plain = [(name, value) for name, value in parameters_of_id if not _is_object(value)]
    return "-".join(_word(name, value) for name, value in plain or parameters_of_id) or str(
        parameters.get(DATA, "only")
    )


def _is_object(value: Any) -> bool:
    if isinstance(value, Mapping):
        return not value or not all(isinstance(item, int) for item in value.values())
    return isinstance(value, list)


def _word(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"no-{name}"
    if isinstance(value, int):
        return f"{value}-{name}"
    if isinstance(value, Mapping) and not _is_object(value):
        return case_id(value)
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or f"no-{name}"
    return str(value).replace(" ", "-").replace("/", "-")
