"""What is shown while scenarios run: no dots, bad cases at once, a line now and then (issue section 4)."""

from types import SimpleNamespace

import pytest

from kueue_conformance.session import progress


class Terminal:
    """Remembers what it is told."""

    def __init__(self, isatty):
        self.isatty = isatty
        self.showfspath = True
        self.said = []

    def ensure_newline(self):
        self.said.append("")

    def write_line(self, line):
        self.said.append(line)

    def write(self, text, *, flush):
        self.said.append(text)


def report(outcome="passed", when="call", scenario="ADM-204", plain=False):
    note = {"outcome": outcome, "id": scenario, "test": "test_x[v0.19]"}
    phase = {"passed": outcome == "passed", "failed": outcome in ("failed", "error")}
    return SimpleNamespace(
        nodeid="a::test_x[1]", when=when, outcome=outcome, **phase, **({} if plain else {"kueue": note})
    )


@pytest.fixture
def show_reports(monkeypatch):
    """Show some reports, one every four seconds, and return what was said."""

    def show(*reports, isatty=False):
        times = iter(range(0, 400, 4))
        monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(times)))
        terminal = Terminal(isatty)
        plugins = SimpleNamespace(get_plugin=lambda _: terminal)
        reporter = progress.Progress(SimpleNamespace(pluginmanager=plugins))
        reporter.pytest_sessionstart()
        reporter._ticks = True  # a thread would draw in real time
        reporter.pytest_xdist_node_collection_finished(["a"] * 9)
        [reporter.pytest_runtest_logreport(phase_report) for phase_report in reports]
        return terminal.said

    return show


def test_a_terminal_shows_how_far_it_is_and_how_long_it_takes(show_reports):
    first, second = show_reports(report(), report(scenario="ADM-205"), isatty=True)

    assert (first, second) == (
        "1 of 9 cases  1 passed  4 s  about 32 s left",
        "\r\x1b[J2 of 9 cases  2 passed  8 s  about 28 s left",
    )


def test_a_terminal_shows_the_cause_of_the_first_failure_alone(show_reports):
    several = [report("failed", scenario=f"ADM-20{number}") for number in range(2)]
    for phase_report in several:
        phase_report.kueue["text"] = "\n".join(["ADM-200.a  a rule", *map(str, range(9))])

    written = show_reports(*several, isatty=True)

    assert [line for line in written if line.startswith(("failed", " "))] == [
        "failed: ADM-200 test_x[v0.19]",
        "    ADM-200.a  a rule",
        *(f"    {number}" for number in range(3)),
        "failed: ADM-201 test_x[v0.19]",
    ]


def test_elsewhere_a_line_comes_now_and_then(show_reports):
    assert show_reports(*[report()] * 5) == ["3 of 9 cases  3 passed  12 s"]


@pytest.mark.parametrize("outcome", ["failed", "error"])
def test_a_case_that_did_not_pass_is_named_at_once(show_reports, outcome):
    assert show_reports(report(outcome)) == ["", f"{outcome}: ADM-204 test_x[v0.19]"]


def test_set_up_and_other_tests_are_no_cases(show_reports):
    assert show_reports(report(when="setup"), report(plain=True), isatty=True) == []


@pytest.mark.parametrize(
    ("phase_report", "expected"),
    [
        pytest.param(report(), ("passed", "", "PASSED"), id="passed"),
        pytest.param(report("failed"), ("failed", "", "FAILED"), id="failed"),
        pytest.param(report("error", when="setup"), ("error", "", "ERROR"), id="error"),
        pytest.param(report(when="setup"), ("", "", ""), id="set up"),
        pytest.param(report(plain=True), None, id="not ours"),
    ],
)
def test_cases_have_no_letters(phase_report, expected):
    reporter = progress.Progress(SimpleNamespace())

    assert reporter.pytest_report_teststatus(phase_report) == expected


class Entry:
    """A frame of a traceback; one that was interrupted before its first line has none."""

    def __init__(self, line):
        self._line = line

    @property
    def lineno(self):
        return self._line - 1


@pytest.mark.parametrize(("line", "is_told"), [(7, True), (None, False)], ids=["with a line", "without one"])
def test_a_frame_without_a_line_is_not_told(line, is_told):
    assert progress.has_line(Entry(line)) is is_told


def test_what_breaks_down_for_one_reason_is_named_once(show_reports):
    several = [report("error", scenario=f"ADM-20{number}") for number in range(3)]
    for phase_report in several:
        phase_report.kueue["text"] = "the subject died"

    assert [line for line in show_reports(*several) if line.startswith("error")] == [
        "error: ADM-200 test_x[v0.19]"
    ]
