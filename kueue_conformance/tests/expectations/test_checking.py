"""Dead and expired entries are found (harness/H-16)."""

from datetime import date

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.expectations.checking import stale

from .written import entry, read_entries

DAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        pytest.param(
            entry("CHK-999"), ["dead: it matches no scenario of the suite; remove this entry"], id="id"
        ),
        pytest.param(
            entry("XYZ-*"), ["dead: it matches no scenario of the suite; remove this entry"], id="glob"
        ),
        pytest.param(
            entry("CHK-010", clause="z"),
            ["dead: no matching scenario has a clause z; remove this entry"],
            id="clause",
        ),
        pytest.param(
            entry(expires="2026-11-20"),
            ["expired on 2026-11-20: look at #1 again, then remove this entry or move its day"],
            id="expired",
        ),
        pytest.param(entry("CHK-010", clause="a"), [], id="alive"),
        pytest.param(entry("CHK-01*", clause="a"), [], id="a glob with a clause"),
        pytest.param(entry("CHK-010", clause="CC-020"), [], id="a rule is no clause"),
    ],
)
def test_stale(tmp_path, written, why):
    assert [text for _, text in stale(read_entries(tmp_path, written).entries, inventory(), DAY)] == why
