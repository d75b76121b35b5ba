"""Command lines as Go programs read them (apiserver.md §2.8)."""

from __future__ import annotations

import pytest

from fakecluster.envtest.flags import FlagError, Flags


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        pytest.param(["--port=1"], (("port", "1"),), id="with-equals"),
        pytest.param(["--port", "1"], (("port", "1"),), id="in-two-words"),
        pytest.param(["-v=2"], (("v", "2"),), id="one-dash"),
        pytest.param(["--fast", "--port", "1"], (("fast", ""), ("port", "1")), id="without-a-value"),
        pytest.param(["--url=a", "--url=b=c"], (("url", "a"), ("url", "b=c")), id="repeated"),
    ],
)
def test_words_become_flags(words, flags):
    assert Flags.of(words).values == flags


def test_the_last_value_counts():
    assert Flags.of(["--port=1", "--port=2"]).get("port") == "2"


def test_a_word_of_no_flag_is_refused():
    with pytest.raises(FlagError, match="'stray' belongs to no flag: expected --name=value"):
        Flags.of(["--port=1", "stray"])


def test_a_missing_flag_is_named():
    with pytest.raises(FlagError, match="--secure-port is missing: expected --secure-port=VALUE"):
        Flags.of([]).value_of("secure-port")


def test_unknown_names_are_told_once():
    assert Flags.of(["--new=1", "--port=1", "--new=2"]).unknown_names({"port"}) == ("new",)
