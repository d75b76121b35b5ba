"""Expectation files are read with their includes,
and every problem is told at once with its line (harness/H-15).
"""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.expectations import read

from .written import HEAD, entry, write


def problem_of(tmp_path, content):
    file = tmp_path / "e.yaml"
    file.write_text(content)
    with pytest.raises(UsageError) as problem:
        read([file])
    return str(problem.value).replace(f"{tmp_path}/", "")


def test_entries_keep_their_order_and_know_their_lines(tmp_path):
    expectations = read([write(tmp_path / "e.yaml", entry("CHK-010"), entry("CHK-0*", clause="b"))])

    assert [(read_entry.id, read_entry.clause, read_entry.line) for read_entry in expectations.entries] == [
        ("CHK-010", "", 4),
        ("CHK-0*", "b", 5),
    ]


def test_included_files_come_after_the_own_entries_and_only_once(tmp_path):
    write(tmp_path / "b.yaml", entry("CHK-020"), include="a.yaml")
    first = write(tmp_path / "a.yaml", entry("CHK-010"), include="b.yaml")

    assert [read_entry.id for read_entry in read([first]).entries] == ["CHK-010", "CHK-020"]


def test_a_file_without_entries_expects_nothing(tmp_path):
    (tmp_path / "e.yaml").write_text(f"{HEAD}expectations:\n  # nothing yet\n")

    assert read([tmp_path / "e.yaml"]).entries == ()


def test_every_problem_is_told_with_its_line(tmp_path):
    broken = f"""{HEAD}expectations:
  - id: CHK-010
    reason: r
    issue: '#1'
  - {{id: CHK-011, outcome: fails, reason: r, issue: '#2'}}
  - {{id: CHK-012, reason: '', issue: '#3', expires: 2099-01-01, when: {{dialect: '>=abc'}}, why: x}}
"""

    lines = problem_of(tmp_path, broken).splitlines()

    assert [line.strip().split(" ")[0] for line in lines[1:-1]] == [
        "e.yaml:4:",
        "e.yaml:7:",
        "e.yaml:8:",
        "e.yaml:8:",
        "e.yaml:8:",
    ]
    assert lines[0] == "expectations have 5 problem(s)"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param("", "e.yaml:1: is no mapping", id="empty"),
        pytest.param("a: [", "is not YAML", id="no YAML"),
        pytest.param("kind: Expectations\n", "'apiVersion' is a required property", id="no version"),
        pytest.param(
            f"{HEAD}include: [b.yaml]\n",
            "'b.yaml', included by 'e.yaml' cannot be read: No such file",
            id="include",
        ),
        pytest.param(
            f"{HEAD}expectations:\n- {{id: A, reason: r, issue: i}}\n",
            "'expires' is a required property",
            id="no day",
        ),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path, content, words):
    assert words in problem_of(tmp_path, content)
