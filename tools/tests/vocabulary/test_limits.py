"""Figures beside their limits."""

import pytest

from tools.vocabulary.limits import Table, find_breaches, find_slack, lower, measure_packages
from tools.vocabulary.sources import Source

GOALS = "[goals]\nvague_names = 10\ncomment_lines = 20\nlong_lines = 0\nloose_files = 1\n"


def measure(text):
    return measure_packages([Source.parse("pkg/a/module.py", text)], [])


def table(**row):
    limits = "".join(f"{name} = {limit}\n" for name, limit in row.items())
    return Table.parse(f"{GOALS}[limits.pkg]\n{limits}")


QUARTER = "one = 1\nworkload = 2\nqueue = 3\n# Because.\nflavor = 4\n"
"""A quarter of the names is vague, a fifth of the lines is a comment."""


@pytest.mark.parametrize(
    ("row", "breaches"),
    [
        pytest.param({"vague_names": 25}, [], id="at the limit"),
        pytest.param(
            {"vague_names": 24.9}, ["pkg: vague_names 25 %, at most 24.9 % is allowed"], id="above the limit"
        ),
        pytest.param(
            {"comment_lines": 20.1},
            ["pkg: comment_lines 20 %, at least 20.1 % is allowed"],
            id="too few comments",
        ),
        pytest.param({"comment_lines": 19}, [], id="comments enough"),
    ],
)
def test_breach(row, breaches):
    assert [str(breach) for breach in find_breaches(measure(QUARTER), table(**row))] == breaches


@pytest.mark.parametrize(
    ("row", "can_be_lowered"),
    [
        pytest.param({"vague_names": 25.5}, False, id="within the margin"),
        pytest.param({"vague_names": 25.6}, True, id="clearly above the figure"),
        pytest.param({"comment_lines": 10}, True, id="comments clearly below the figure"),
        pytest.param({"long_lines": 3}, False, id="a few"),
        pytest.param({"long_lines": 4}, True, id="many"),
        pytest.param({"loose_files": 1}, False, id="at the goal"),
    ],
)
def test_slack(row, can_be_lowered):
    assert bool(list(find_slack(measure(QUARTER), table(**row)))) == can_be_lowered


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"vague_names": 30}, {"vague_names": 25}, id="to the figure"),
        pytest.param({"vague_names": 20}, {"vague_names": 20}, id="never wider"),
        pytest.param({"loose_files": 9}, {"loose_files": 1}, id="not below the goal"),
        pytest.param({"comment_lines": 10}, {"comment_lines": 20}, id="more comments"),
    ],
)
def test_lowering(before, after):
    text = GOALS + "[limits.pkg]\n" + "".join(f"{name} = {limit}\n" for name, limit in before.items())

    lowered = Table.parse(lower(text, measure(QUARTER), Table.parse(text)))

    assert lowered.limits == {"pkg": after}
    assert lowered.goals == Table.parse(text).goals


def test_lowering_keeps_comments():
    text = f"# The limits.\n{GOALS}\n[limits.pkg]\nvague_names = 30\n"

    assert lower(text, measure(QUARTER), Table.parse(text)) == text.replace("30", "25")


def test_tests_of_a_package_have_limits_of_their_own():
    text = f'{GOALS}[limits."pkg tests"]\nvague_names = 100\n'
    packages = measure_packages([Source.parse("pkg/tests/test_a.py", QUARTER)], [])

    assert lower(text, packages, Table.parse(text)).endswith('[limits."pkg tests"]\nvague_names = 25\n')
