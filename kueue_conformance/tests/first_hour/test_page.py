"""The page begins with whose report it is and with the verdict; causes come first, each with one story."""

import re

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.page import html
from kueue_conformance.report.page.headline import bar, verdict_line, whose
from kueue_conformance.report.results.causes import causes_of
from kueue_conformance.scenarios.outcome import Outcome

from ..reporting.results import FAILED, PASSED, TIMELINE, case, report
from .test_causes import IDS, MANY, failure

SHOULD = next(
    name for name, scenario in inventory().items() if scenario.level == "should" and name.startswith("CHK-")
)
RESULTS = [
    *(cause_result for cause_result in MANY[:3]),
    failure(SHOULD, "less"),
    case(IDS[40]),
    case(IDS[41], outcome=Outcome.UNSUPPORTED, code="x"),
]
MADE = report(
    [*[failure(name, "a", timeline=TIMELINE) for name in IDS[:30]], *RESULTS[3:]],
    subject="process:false",
    **{"controller-name": "acme.io/budget"},
)
PAGE = html.render(MADE)
WHOSE = {
    "a project": ({"organization": "acme", "project": "budget", "version": "1.2"}, "acme budget 1.2"),
    "a controller": ({"controllerName": "acme.io/budget", "subject": "process:x"}, "acme.io/budget"),
    "a control plane": (
        {"subject": "control plane reference", "version": "v0.19.2"},
        "control plane reference v0.19.2",
    ),
}


@pytest.mark.parametrize(("implementation", "name"), WHOSE.values(), ids=WHOSE)
def test_it_says_whose_it_is(implementation, name):
    from dataclasses import replace

    document = replace(report(), implementation=implementation)

    assert (whose(document), f"<h1>{name}</h1>" in html.render(document)) == (name, True)


VERDICTS = {
    "all is well": (PASSED, "no rule broken in 2 scenarios"),
    "must and should": ([failure(IDS[0], "a"), failure(SHOULD, "b")], "2 rules broken, 1 must"),
    "one": ([failure(IDS[0], "a")], "1 rule broken, 1 must"),
    "an error besides": (FAILED, "1 rule broken, 1 must; 1 reason why scenarios could not be judged"),
    "nothing": ([case("ADM-234", outcome=Outcome.UNSUPPORTED, code="x")], "nothing was judged"),
}


@pytest.mark.parametrize(("results", "line"), VERDICTS.values(), ids=VERDICTS)
def test_the_verdict_is_a_line(results, line):
    document = report(results)

    assert (verdict_line(document, causes_of(document)), f">{line}</p>" in html.render(document)) == (
        line,
        True,
    )


def test_the_bar_counts_every_scenario_once():
    segments = bar(MADE)

    assert sum(segment.amount for segment in segments) == len(MADE.scenarios)
    assert round(sum(segment.share for segment in segments)) == 100
    assert [segment.sort for segment in segments] == ["passed", "must", "should", "aside"]


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
        r'<section class="cause \w+" id="cause-\d+">\n<h3 class="failed">.*?\[(must|should)\]',
        PAGE,
        re.DOTALL,
    )

    assert levels == ["must", "should"]


def test_expected_stands_beside_observed_before_the_picture():
    (cause,) = re.findall(r'<section class="cause \w+" id="cause-1">.*?</section>', PAGE, re.DOTALL)
    places = [
        cause.index(word)
        for word in (
            "<b>expected</b>",
            "<b>observed</b>",
            'class="story on-screen"',
            "<summary>Every step",
            "<summary>In words",
        )
    ]

    assert places == sorted(places)
    assert all(f'href="#{name}"' in cause for name in IDS[:30])


def test_one_story_is_drawn_for_thirty_scenarios():
    assert PAGE.count('class="story on-screen"') == 1


def test_every_link_leads_somewhere():
    names = set(re.findall(r'id="([^"]+)"', PAGE))

    assert [link for link in re.findall(r'href="#([^"]+)"', PAGE) if link not in names] == []


def test_generated_names_are_on_hover():
    named_failure = failure(IDS[0], "workload-1-chk-010-ttdfp-838-morning: Ready")
    page = html.render(report([named_failure]))

    assert 'title="workload-1-chk-010-ttdfp-838-morning">workload A</span>: Ready' in page


def test_the_first_wrong_write_is_told_above_the_picture():
    wrong = {**TIMELINE[2], "broke": ["CC-020"]}
    page = html.render(report([failure(IDS[0], "a", timeline=(*TIMELINE, wrong))]))

    assert page.index("First wrong write</b>: rv 6") < page.index('class="story on-screen"')
    assert 'class="first-wrong"' in page


def test_what_is_long_is_folded_beside_a_picture():
    (cause,) = re.findall(r'<section class="cause must" id="cause-1">.*?</section>', PAGE, re.DOTALL)

    assert [details for details in re.findall(r"<details[^>]*>", cause) if "open" in details] == []
    assert len(re.findall(r"<details[^>]*>", cause)) == 2


def test_the_suite_stands_apart_from_the_score():
    score, suite = PAGE.split('<h2 id="suite">')

    assert ("Requirements</b>" in suite, "Requirements</b>" in score) == (True, False)


def test_a_name_that_a_template_asks_for_and_that_is_not_there_is_an_error():
    from jinja2 import StrictUndefined

    assert html.environment().undefined is StrictUndefined


def test_the_page_is_small():
    assert len(html.render(report()).encode()) < 40_000
