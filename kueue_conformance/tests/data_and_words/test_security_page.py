"""The figures of docs/security.md are those of the code."""

import importlib
import re

import pytest

from kueue_conformance.tests.checkout import ROOT

UNITS = {"": 1, "s": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
ROW = re.compile(
    r"^\|(?P<what>[^|]+)\| (?P<limit>[^|]+) \|[^|]+\| `(?P<constant>[a-z_.]+\.[A-Z_]+)` \|$", re.MULTILINE
)
ROWS = {row["constant"]: row["limit"] for row in ROW.finditer((ROOT / "docs/security.md").read_text("utf-8"))}


def figure(limit):
    """The number in a cell such as `1 MiB + 4 KiB`, `10 000` or `60 s`."""
    amounts = re.findall(r"([0-9][0-9 ]*?) ?(KiB|MiB|GiB|s)?(?= \+|,|$)", limit.partition(",")[0])
    return sum(int(number.replace(" ", "")) * UNITS[unit] for number, unit in amounts)


def test_the_page_has_figures():
    assert len(ROWS) >= 30


@pytest.mark.parametrize("constant", ROWS)
def test_a_figure_is_that_of_the_code(constant):
    module, _, name = constant.rpartition(".")

    assert figure(ROWS[constant]) == getattr(importlib.import_module(module), name)
