"""The HTML report in a browser: everything is there, nothing is fetched,
it fits a telephone and can be read (harness/N-12, H-29).

Run by `make test-html`. Where there is no Chromium this is shown as unsupported.
"""

import orjson
import pytest

from kueue_conformance.report.afterwards.matrix import matrix
from kueue_conformance.report.page import html
from kueue_conformance.report.page.coverage import render_coverage
from kueue_conformance.report.results.causes import causes_of
from kueue_conformance.report.story.timeline import steps
from kueue_conformance.report.story.traffic import LANES, traffic
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.states import ENTRY, WORKLOAD

from ..exploration.test_coverage import SOME, VOCABULARY
from ..reporting.results import FAILED, case, report
from ..reporting.stories import ABOUT, ASKED, CHANGES, CONTROLLER, LISTED, REFUSED
from .browser import DARK, LIGHT, find, measure, start

pytestmark = pytest.mark.html
NARROW, WIDE = 390, 1280
BROKEN = judge(
    Story(changes=CHANGES, attempts=(REFUSED,), controller=CONTROLLER, requests=(REFUSED,)),
    known_dialects()["v0.19"],
)
STORY = tuple(steps(CHANGES, (REFUSED,), BROKEN, beside=traffic([LISTED], [ASKED], ABOUT["faults"])))
NAMED = ("workload-1-chk-010-ttdfp-838-morning", "check-1-chk-010-ttdfp-838-beacon")
GENERATED = orjson.loads(
    orjson.dumps(STORY)
    .replace(b'"w"', f'"{NAMED[0]}"'.encode())
    .replace(b'"check"', f'"{NAMED[1]}"'.encode())
)
LONG = "a-name-without-any-place-to-break-" * 8
RESULTS = (
    *FAILED,
    case(
        "CHK-010", outcome=Outcome.FAILED, code="assertion", text=f"CHK-010.a  it is done\n  observed   {LONG}", timeline=STORY, judged=True,
        violations=tuple({"rule": violation.rule, "text": f"{violation.object_name}: {violation.text} {LONG}"} for violation in BROKEN), evidence=f"evidence/{LONG}.ndjson",
    ),
    case("CHK-012", outcome=Outcome.FAILED, code="assertion", text=f"CHK-012.a  it waits\n  observed   {NAMED[0]} is Ready", timeline=tuple(GENERATED) * 4),
    case("CHK-011", outcome=Outcome.XFAILED, code="assertion", text="CHK-011.a  no", expectation=f"CHK-011: known ({LONG})", timeline=STORY),
    case("CHK-020", outcome=Outcome.XPASSED, text="CHK-020  passes"), case("CHK-021", outcome=Outcome.EXCLUDED, code="--exclude"),
    case("CHK-022", outcome=Outcome.FLAKY, code="assertion", text="now so, now otherwise"),
)  # fmt: skip
WORST = report(RESULTS, subject="process:false", **{"controller-name": "acme.io/budget"})
PAGES = {
    "report": html.render(WORST),
    "matrix": html.render_matrix(matrix({"a": WORST.to_dict(), "b": report().to_dict()})),
    "coverage": render_coverage(SOME, VOCABULARY),
}


@pytest.fixture(scope="module")
def chromium():
    """The browser."""
    program = find()
    if program is None:
        pytest.skip("unsupported: no Chromium on PATH")
    return program


@pytest.fixture(scope="module", params=PAGES)
def name(request):
    """Which page is shown."""
    return request.param


@pytest.fixture(
    scope="module",
    params=[(NARROW, LIGHT), (NARROW, DARK), (WIDE, LIGHT), (WIDE, DARK)],
    ids=["narrow, light", "narrow, dark", "wide, light", "wide, dark"],
)
def page_measures(request, chromium, name, tmp_path_factory):
    """A page as the browser shows it, measured."""
    width, scheme = request.param
    return {
        **measure(chromium, PAGES[name], tmp_path_factory.mktemp("page"), width=width, scheme=scheme),
        "asked": (width, scheme == DARK),
    }


def test_it_is_shown_as_asked(page_measures):
    assert (page_measures["width"], page_measures["dark"]) == page_measures["asked"]


def test_it_does_not_scroll_sideways(page_measures):
    assert page_measures["scrolls"] <= 0


def test_nothing_leaves_its_shape_or_the_window_or_is_cut(page_measures):
    assert page_measures["misplaced"] == []


def test_everything_that_is_used_or_drawn_has_a_name(page_measures):
    assert page_measures["nameless"] == []


def test_every_text_can_be_read(page_measures):
    assert page_measures["texts"] > 20
    assert page_measures["low"] == []


def test_nothing_is_fetched_and_nothing_goes_wrong(page_measures):
    assert (page_measures["fetched"], page_measures["console"]) == ([], [])


def test_every_link_leads_somewhere(page_measures):
    assert page_measures["links"] == []


@pytest.mark.parametrize(("width", "display"), [(NARROW, "block"), (WIDE, "table-row")])
def test_rows_are_cards_on_a_telephone(chromium, tmp_path, width, display):
    assert measure(chromium, PAGES["report"], tmp_path, width=width, scheme=LIGHT)["blocks"] == display


@pytest.fixture(scope="module")
def report_measures(chromium, tmp_path_factory):
    """The report, measured once."""
    return measure(chromium, PAGES["report"], tmp_path_factory.mktemp("page"), width=WIDE, scheme=LIGHT)


def test_every_actor_and_condition_has_a_lane(report_measures):
    assert set(report_measures["lanes"]) >= {"user", "kueue", "subject", "QuotaReserved · w", "Admitted · w"}


def test_traffic_has_its_lanes(report_measures):
    assert set(report_measures["lanes"]) >= {*LANES}


def test_every_state_is_drawn(report_measures):
    assert set(report_measures["states"]) == {*WORKLOAD.states, *ENTRY.states}


def test_search_finds_by_id_and_says_how_many(report_measures):
    used = report_measures["used"]

    assert (used["one"], used["said"], used["none"]) == (1, "1 scenario found", 0)
    assert used["all"] == used["filters"]["only-all"] == len(WORST.scenarios)


def test_filters_choose_by_outcome_and_level(report_measures):
    filters = report_measures["used"]["filters"]
    aside = sum(scenario.outcome in (Outcome.UNSUPPORTED, Outcome.EXCLUDED) for scenario in WORST.scenarios)
    wrong = sum(scenario.outcome in html.TOLD for scenario in WORST.scenarios)

    assert (filters["only-aside"], filters["only-wrong"]) == (aside, wrong)
    assert filters["must"][0] == filters["must"][1] > 0


def test_every_command_can_be_copied(report_measures):
    used = report_measures["used"]

    assert used["buttons"] == used["commands"] > 0
    assert (used["copied"], used["label"]) == (used["command"], "copied")


def test_a_link_opens_what_it_leads_to_and_focus_is_seen(report_measures):
    assert (report_measures["used"]["opened"], report_measures["used"]["ring"]) == (True, "solid")


def test_names_are_told_by_role_with_the_generated_name_on_hover(report_measures):
    assert "QuotaReserved · workload A" in report_measures["lanes"]
    assert not any("chk-010" in lane for lane in report_measures["lanes"])


def test_without_scripts_it_is_whole(chromium, tmp_path):
    page = PAGES["report"].replace("<script>", '<script type="text/plain">')
    measured = measure(chromium, page, tmp_path, width=NARROW, scheme=LIGHT)

    assert (measured["used"], measured["misplaced"], measured["console"]) == (None, [], [])
    assert measured["marks"] > 0


def test_ways_are_lines(report_measures):
    assert report_measures["paths"] > len(WORKLOAD.transitions)
    assert report_measures["filled"] == 0


def test_every_write_has_a_mark_and_wrong_ones_are_marked_so(report_measures):
    cases_with_causes = [cause.first for cause in causes_of(WORST)]
    cases_with_causes += [case for scenario in WORST.scenarios for case in html.cases_with_story(scenario)]

    assert report_measures["marks"] == sum(len(drawn_case.timeline) for drawn_case in cases_with_causes)
    assert (
        report_measures["wrong"]
        == sum("broke" in step for drawn_case in cases_with_causes for step in drawn_case.timeline)
        > 0
    )


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_from_disk(chromium, tmp_path, name):
    file = tmp_path / "report.html"
    file.write_text(PAGES[name], "utf-8")

    document, console = start(chromium, file.as_uri(), tmp_path)

    assert ("<h1>" in document, console) == (True, [])
