"""Lines of running cases on a terminal: what a screen shows after what was written."""

import re

import pytest

from kueue_conformance.session.live_lines import LiveLines, estimate

COLUMNS = 40


class Screen:
    """A terminal of 40 columns that knows the sequences that are used: return, a row up, erase below."""

    def __init__(self):
        self.rows, self.row, self.column = [""], 0, 0

    def write(self, text):
        for word in re.findall(r"\x1b\[1A|\x1b\[J|\r|\n|[^\x1b\r\n]+", text):
            if word == "\x1b[1A":
                self.row -= 1
            elif word == "\x1b[J":
                self.rows = [*self.rows[: self.row], self.rows[self.row][: self.column]]
            elif word == "\r":
                self.column = 0
            elif word == "\n":
                self.row, self.column = self.row + 1, 0
                if self.row == len(self.rows):
                    self.rows.append("")
            else:
                assert len(word) < COLUMNS, "the terminal would wrap it"
                self.rows[self.row] = self.rows[self.row][: self.column] + word
                self.column += len(word)


@pytest.fixture
def screen():
    return Screen()


@pytest.fixture
def lines(screen):
    return LiveLines(screen.write, lambda: COLUMNS)


def test_each_running_case_has_a_row(lines, screen):
    lines.start("a/test_a.py::test_one[x]", 0.0)
    lines.start("a/test_a.py::test_two", 2.0)

    lines.draw("2 cases", 5.0)

    assert screen.rows == ["     5 s  test_one[x]", "     3 s  test_two", "2 cases"]


def test_a_scenario_is_named_where_a_case_of_it_has_ended(lines, screen):
    lines.start("a/test_a.py::test_one[x]", 0.0)
    lines.learn("a/test_a.py::test_one[y]", "ADM-204")

    lines.draw("", 5.0)

    assert screen.rows == ["     5 s  ADM-204 test_one[x]", ""]


def test_rows_are_drawn_in_place(lines, screen):
    lines.start("::test_one", 0.0)
    lines.draw("a longer summary", 1.0)
    lines.start("::test_two", 1.0)

    lines.draw("short", 2.0)

    assert screen.rows == ["     2 s  test_one", "     1 s  test_two", "short"]


def test_the_next_case_takes_the_row_of_one_that_ended(lines, screen):
    lines.start("::test_one", 0.0)
    lines.start("::test_two", 0.0)
    lines.end("::test_one")
    lines.draw("half", 1.0)
    assert screen.rows == ["", "     1 s  test_two", "half"]

    lines.start("::test_three", 1.0)
    lines.draw("all", 1.0)

    assert screen.rows == ["     0 s  test_three", "     1 s  test_two", "all"]


def test_what_is_erased_leaves_room_for_others(lines, screen):
    lines.start("::test_one", 0.0)
    lines.draw("summary", 0.0)

    lines.erase()
    lines.erase()
    screen.write("failed: ADM-204\n")
    lines.draw("summary", 0.0)

    assert screen.rows == ["failed: ADM-204", "     0 s  test_one", "summary"]


def test_a_long_row_is_cut(lines, screen):
    lines.start("::test_" + "x" * 80, 0.0)

    lines.draw("s" * 80, 0.0)

    assert [len(row) for row in screen.rows] == [COLUMNS - 1, COLUMNS - 1]


@pytest.mark.parametrize(
    ("done", "total", "seconds", "expected"),
    [
        pytest.param(0, 9, 4, "", id="none is done"),
        pytest.param(9, 9, 4, "", id="all are done"),
        pytest.param(3, 9, 12, "about 24 s left", id="seconds"),
        pytest.param(10, 100, 60, "about 9 min left", id="minutes"),
    ],
)
def test_the_estimate_is_the_pace_of_the_cases_that_are_done(done, total, seconds, expected):
    assert estimate(done, total, seconds) == expected
