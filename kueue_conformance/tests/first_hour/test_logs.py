"""What a controller prints: no control character reaches a report,
and each failure has the lines of its own case.
"""

import re
from xml.etree import ElementTree as ET

import pytest

from kueue_conformance.base.printable import MARK, plain, printable
from kueue_conformance.report.formats import markdown
from kueue_conformance.subject.log import LogRing

from ..reporting.results import case, report
from .controllers import EARLY, judge_program

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
TEXTS = {
    "colours": ("\x1b[1;31mred\x1b[0m", "red"),
    "a title": ("\x1b]0;title\x07text", "text"),
    "a bell": ("ding\x07", f"ding{MARK}"),
    "what XML forbids": ("\ufffe\x00\udc80", MARK * 3),
    "letters": ("Größe → 🙂\tok\nnext", "Größe → 🙂\tok\nnext"),
}


@pytest.mark.parametrize(("text", "shown"), TEXTS.values(), ids=TEXTS)
def test_a_text_becomes_printable(text, shown):
    assert (printable(text), plain({text: [text, 1]})) == (shown, {shown: [shown, 1]})


def test_a_log_has_no_colours():
    ring = LogRing()
    ring.fill(["\x1b[32mINFO\x1b[0m started\n"])

    assert ring.whole()[0].text == "INFO started"


def test_a_log_keeps_as_many_letters_as_it_may():
    ring = LogRing()
    ring.fill("x" * 2**20 for _ in range(9))

    assert len(ring.whole()) == 3


def test_no_line_of_a_log_ends_the_block_that_it_stands_in():
    lines = markdown.render(report([case(outcome="failed", text="one\n````\ntwo")])).splitlines()

    assert lines.count("`````") == 1
    assert lines.index("`````") > lines.index("two")


@pytest.fixture(scope="module")
def early(tmp_path_factory):
    return judge_program(tmp_path_factory.mktemp("early"), EARLY, "CHK-010", "CHK-011")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["junit.xml", "summary.md", "report.html", "report.yaml"])
def test_no_control_character_reaches_a_report(early, name):
    assert (early.code, CONTROL.findall(early.text(name))) == (1, [])
    ET.fromstring(early.text("junit.xml"))


@pytest.mark.slow
def test_no_control_character_reaches_the_terminal(early):
    assert CONTROL.findall(early.out) == []


@pytest.mark.slow
def test_the_whole_log_is_beside_the_report_and_is_the_cases_own(early):
    cases = {scenario["id"]: scenario["cases"][0] for scenario in early.report["scenarios"]}
    logs = {name: early.text(case_row["log"]) for name, case_row in cases.items()}

    assert {name: ("judging" in text, CONTROL.findall(text)) for name, text in logs.items()} == {
        "CHK-010": (True, []),
        "CHK-011": (True, []),
    }
    assert ["chk-011" in logs["CHK-010"], "chk-010" in logs["CHK-011"]] == [False, False]
    assert "chk-011" not in cases["CHK-010"]["text"]
