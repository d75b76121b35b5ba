"""The page begins with whose report it is and with the verdict; causes come first, each with one story."""

import re

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.outcome import Outcome
from kueue_conformance.report import html
from kueue_conformance.report.causes import causes_of
from kueue_conformance.report.headline import bar, verdict_line, whose

from ..reporting.results import FAILED, PASSED, TIMELINE, case, report
from .test_causes import IDS, MANY, failed

SHOULD = next(name for name, one in inventory().items() if one.level == "should" and name.startswith("CHK-"))
RESULTS = [
    *(one for one in MANY[:3]),
    failed(SHOULD, "less"),
    case(IDS[40]),
    case(IDS[41], outcome=Outcome.UNSUPPORTED, code="x"),
]
MADE = report(
    [*[failed(name, "a", timeline=TIMELINE) for name in IDS[:30]], *RESULTS[3:]],
    subject="process:false",
    **{"controller-name": "acme.io/budget"},
)
PAGE = html.render(MADE)
WHOSE = {
    "a project": ({"organization": "acme", "project": "budget", "version": "1.2"}, "acme budget 1.2"),
    "a controller": ({"controllerName": "acme.io/budget", "subject": "process:x"}, "acme.io/budget"),
    "a control plane": ({"subject": "control plane reference", "version": "v0.19.2"}, "control plane reference v0.19.2"),
}  # fmt: skip


@pytest.mark.parametrize(("said", "name"), WHOSE.values(), ids=WHOSE)
def test_it_says_whose_it_is(said, name):
    from dataclasses import replace

    made = replace(report(), implementation=said)

    assert (whose(made), f"<h1>{name}</h1>" in html.render(made)) == (name, True)


VERDICTS = {
    "all is well": (PASSED, "no rule broken in 2 scenarios"),
    "must and should": ([failed(IDS[0], "a"), failed(SHOULD, "b")], "2 rules broken, 1 must"),
    "one": ([failed(IDS[0], "a")], "1 rule broken, 1 must"),
    "an error besides": (FAILED, "1 rule broken, 1 must; 1 reason why scenarios could not be judged"),
    "nothing": ([case("ADM-234", outcome=Outcome.UNSUPPORTED, code="x")], "nothing was judged"),
}  # fmt: skip


@pytest.mark.parametrize(("results", "line"), VERDICTS.values(), ids=VERDICTS)
def test_the_verdict_is_a_line(results, line):
    made = report(results)

    assert (verdict_line(made, causes_of(made)), f">{line}</p>" in html.render(made)) == (line, True)


def test_the_bar_counts_every_scenario_once():
    parts = bar(MADE)

    assert sum(one.amount for one in parts) == len(MADE.scenarios)
    assert round(sum(one.share for one in parts)) == 100
    assert [one.sort for one in parts] == ["passed", "must", "should", "aside"]


def test_things_stand_in_their_order():
    places = [
        PAGE.index(word)
        for word in (
            "<h1>",
            'class="verdict',
            'class="bar"',
            "<nav",
            'id="causes"',
            'id="cause-1"',
            'id="cause-2"',
            'id="profile-',
            'id="suite"',
        )
    ]

    assert places == sorted(places)


def test_must_stands_before_should():
    levels = re.findall(
        r'<section class="cause" id="cause-\d+">\n<h3 class="failed">.*?\[(must|should)\]', PAGE, re.DOTALL
    )

    assert levels == ["must", "should"]


def test_expected_stands_beside_observed_before_the_picture():
    (cause,) = re.findall(r'<section class="cause" id="cause-1">.*?</section>', PAGE, re.DOTALL)
    places = [
        cause.index(word)
        for word in (
            "<b>expected</b>",
            "<b>observed</b>",
            'class="story"',
            "<summary>Every write",
            "<summary>In words",
        )
    ]

    assert places == sorted(places)
    assert all(f'href="#{name}"' in cause for name in IDS[:30])


def test_one_story_is_drawn_for_thirty_scenarios():
    assert PAGE.count('class="story"') == 1


def test_every_link_leads_somewhere():
    names = set(re.findall(r'id="([^"]+)"', PAGE))

    assert [one for one in re.findall(r'href="#([^"]+)"', PAGE) if one not in names] == []


def test_generated_names_are_on_hover():
    told = failed(IDS[0], "workload-1-chk-010-ttdfp-838-morning: Ready")
    page = html.render(report([told]))

    assert 'title="workload-1-chk-010-ttdfp-838-morning: Ready">workload 1: Ready</span>' in page
