"""A change that was brought back to older lines is told apart for every release between (AC-295, D-07)."""

from __future__ import annotations

import pytest

from reference_impl.api.releases import Release, Row, Since, by_release, has_change, parse_version

BACKPORTED = ("0.19.3", "0.20.0")
LATE = ("0.19.14", "0.20.7")
CHANGES: list[tuple[Since, str, bool]] = [
    (BACKPORTED, "0.18.9", False),
    (BACKPORTED, "0.19.2", False),
    (BACKPORTED, "0.19.3", True),
    (BACKPORTED, "0.19.14", True),
    (BACKPORTED, "0.20.0", True),
    (BACKPORTED, "0.21.0", True),
    (LATE, "0.19.13", False),
    (LATE, "0.19.14", True),
    (LATE, "0.20.0", False),
    (LATE, "0.20.6", False),
    (LATE, "0.20.7", True),
    (LATE, "0.21.0", True),
    (("0.20.0",), "0.19.14", False),
    (("0.17.4", "0.19.0"), "0.18.2", False),
    ((0, 9), "0.8.5", False),
    ((0, 9), "0.9.0", True),
    ((0, 9), "0.19.2", True),
    ((0, 19, 2), "0.19.1", False),
]


@pytest.mark.parametrize(
    ("since", "version", "expected"), CHANGES, ids=[f"{since} in {version}" for since, version, _ in CHANGES]
)
def test_release_has_a_change(since: Since, version: str, expected: bool) -> None:
    assert has_change(parse_version(version), since) is expected


@pytest.mark.parametrize(("version", "value"), [("0.19.2", "old"), ("0.19.5", "new"), ("0.20.1", "new")])
def test_release_selects_the_value_of_its_line(version: str, value: str) -> None:
    member = by_release(Row("first", (0, 6), "old"), Row("second", BACKPORTED, "new"))

    assert Release(parse_version(version)).value(member) == value
