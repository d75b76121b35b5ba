"""Names of dialects: releases exact to the patch, lines, builds before a release, and what is none."""

import pytest

from reference_impl.api.known_releases import (
    NAMED,
    NEWEST_PATCHES,
    PRERELEASES,
    UnknownDialectError,
    version_of,
)
from reference_impl.api.releases import parse_version, version_text


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("0.19.14", (0, 19, 14)),
        ("v0.19.14", (0, 19, 14)),
        ("0.19", (0, 19, 2)),
        ("0.6.2", (0, 6, 2)),
        ("0.15", (0, 15, 8)),
        ("v0.15", (0, 15, 8)),
        ("docs-2024", (0, 9)),
        ("0.21.0", (0, 21, 0)),
        ("kep993", NAMED["kep993"]),
    ],
)
def test_name_is_a_release(name, version):
    assert version_of(name) == version


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("0.19.99", "newest known release of its line is 0.19.14"),
        ("0.5.1", "known: v0.6"),
        ("0.99", "known: v0.6"),
        ("0.19.2.1", "unknown dialect '0.19.2.1'"),
        ("kep99", "did you mean kep993?"),
        ("", "known: v0.6"),
        ("0..1", "unknown dialect"),
        ("0.20.0-beta", "unknown dialect"),
        ("0.19.02", "unknown dialect '0.19.02'"),
        ("٠.١٩.٢", "unknown dialect"),
    ],
)
def test_what_is_no_release_is_refused_with_what_is_known(name, says):
    with pytest.raises(UnknownDialectError, match=says):
        version_of(name)


def test_builds_before_a_release_are_older_than_it_and_of_its_line():
    texts = [
        "0.19.14",
        "0.20.0-devel",
        "0.20.0-rc.0",
        "0.20.0-rc.3",
        "0.20.0",
        "0.20.7",
        "0.21.0-rc.0",
        "0.21.0",
    ]
    versions = [parse_version(text) for text in texts]

    assert versions == sorted(versions)
    assert [version_text(version) for version in versions] == texts


def test_every_named_dialect_and_build_has_a_known_line():
    versions = [*NAMED.values(), *map(version_of, PRERELEASES)]
    assert {version[:2] for version in versions} <= NEWEST_PATCHES.keys()
