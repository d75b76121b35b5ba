"""Names of requests and templates: the goldens of PA-053,
and which names are recognised (PA-048…052, PC-06, PC-22).
"""

from __future__ import annotations

import pytest

from reference_impl.kueue.provisioning.names import CUT_AT_THE_END, CUT_BEFORE_THE_NUMBER, limit, template


def test_goldens() -> None:
    """PA-053a…d."""
    naming = CUT_AT_THE_END
    assert naming.request("wl", "check1", 1) == "wl-check1-1"
    assert template("wl-check1-1", "main") == "ppt-wl-check1-1-main"
    long = naming.request("w" * 150, "c" * 100, 1)
    assert (len(long), long[-6:]) == (253, "-d5754")
    assert naming.prefix("w" * 150, "c" * 100)[-6:] == "-34356"
    ends = [naming.request("w" * 200, "c" * 60, number)[-6:] for number in (1, 2, 12)]
    assert ends == ["-1c504", "-b1e4b", "-a9bed"]
    assert naming.prefix("w" * 200, "c" * 60)[-6:] == "-5746b"
    assert [len(limit("x" * length)) for length in (246, 247, 248)] == [246, 247, 253]


@pytest.mark.parametrize(
    ("name", "attempt"),
    [
        ("wl-c1-1", 1),
        ("wl-c1-01", 1),
        ("wl-c1-12", 12),
        ("wl-c1-0", 0),
        ("wl-c1-99999999999999999999", 1),
        ("wl-c1-", None),
        ("wl-c1-1a", None),
        ("wl-c1-1-1", None),
        ("wl-c12-1", None),
        ("another", None),
    ],
)
def test_attempt_of_a_name(name: str, attempt: int | None) -> None:
    """PA-048, PA-049."""
    assert CUT_AT_THE_END.attempt(name, "wl", "c1") == attempt


def test_long_names_lose_their_number_in_the_release() -> None:
    """PA-051, and what replaces it."""
    pair = ("w" * 200, "c" * 60)
    assert CUT_AT_THE_END.attempt(CUT_AT_THE_END.request(*pair, 2), *pair) is None
    name = CUT_BEFORE_THE_NUMBER.request(*pair, 2)
    assert len(name) <= 253
    assert CUT_BEFORE_THE_NUMBER.attempt(name, *pair) == 2
    assert CUT_BEFORE_THE_NUMBER.request("wl", "c1", 3) == "wl-c1-3"


def test_a_cut_at_a_dot_is_still_a_name() -> None:
    """PC-22: the release cuts wherever it is."""
    workload = "w" * 226 + "." + "x" * 40
    assert CUT_BEFORE_THE_NUMBER.request(workload, "c", 1).startswith("w" * 226 + "-")
    assert ".-" in CUT_AT_THE_END.request("w" * 246 + ".x", "c", 1)
