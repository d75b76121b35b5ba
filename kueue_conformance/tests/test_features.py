"""The table of features names every one that a suite must have, and what shows it exists (harness §4)."""

import re

import pytest

from .checkout import ROOT

PRIORITY_1 = {
    *range(1, 10),
    *range(11, 15),
    16,
    *range(19, 22),
    *range(24, 30),
    *range(31, 36),
    37,
    38,
    *range(41, 45),
    46,
    48,
    49,
    *range(51, 54),
    55,
}
TEXT = (ROOT / "docs/features.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| (F\d\d) \|.*\|(.*)\|$", TEXT, re.MULTILINE))
TESTS = sorted(set(re.findall(r"`(\S+\.py)::(\w+)`", TEXT)))


def test_every_binding_feature_has_a_row():
    assert {f"F{number:02}" for number in PRIORITY_1} - ROWS.keys() == set()


@pytest.mark.parametrize(("file", "name"), TESTS, ids=[f"{file}-{name}" for file, name in TESTS])
def test_what_shows_a_feature_exists(file, name):
    assert f"def {name}(" in (ROOT / "kueue_conformance/tests" / file).read_text("utf-8")
