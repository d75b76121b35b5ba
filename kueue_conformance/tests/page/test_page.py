"""The HTML report in a browser: everything is there, nothing is fetched,
it fits a telephone and can be read (harness/N-12, H-29).

Run by `make test-html`. Where there is no Chromium this is shown as unsupported.
"""

import orjson
import pytest

from kueue_conformance.report.afterwards.matrix import matrix
from kueue_conformance.report.page import html
from kueue_conformance.report.results.causes import causes_of
from kueue_conformance.report.story.timeline import steps
from kueue_conformance.report.story.traffic import LANES, traffic
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.states import ENTRY, WORKLOAD

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
        violations=tuple({"rule": one.rule, "text": f"{one.object_name}: {one.text} {LONG}"} for one in BROKEN), evidence=f"evidence/{LONG}.ndjson",
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
def shown(request, chromium, name, tmp_path_factory):
    """A page as the browser shows it, measured."""
    width, scheme = request.param
    return {
        **measure(chromium, PAGES[name], tmp_path_factory.mktemp("page"), width=width, scheme=scheme),
        "asked": (width, scheme == DARK),
    }


def test_it_is_shown_as_asked(shown):
    assert (shown["width"], shown["dark"]) == shown["asked"]


def test_it_does_not_scroll_sideways(shown):
    assert shown["scrolls"] <= 0


def test_nothing_leaves_its_shape_or_the_window_or_is_cut(shown):
    assert shown["misplaced"] == []


def test_everything_that_is_used_or_drawn_has_a_name(shown):
    assert shown["nameless"] == []


def test_every_text_can_be_read(shown):
    assert shown["texts"] > 20
    assert shown["low"] == []


def test_nothing_is_fetched_and_nothing_goes_wrong(shown):
    assert (shown["fetched"], shown["console"]) == ([], [])


def test_every_link_leads_somewhere(shown):
    assert shown["links"] == []


@pytest.mark.parametrize(("width", "display"), [(NARROW, "block"), (WIDE, "table-row")])
def test_rows_are_cards_on_a_telephone(chromium, tmp_path, width, display):
    assert measure(chromium, PAGES["report"], tmp_path, width=width, scheme=LIGHT)["blocks"] == display


@pytest.fixture(scope="module")
def drawn(chromium, tmp_path_factory):
    """The report, measured once."""
    return measure(chromium, PAGES["report"], tmp_path_factory.mktemp("page"), width=WIDE, scheme=LIGHT)


def test_every_actor_and_condition_has_a_lane(drawn):
    assert set(drawn["lanes"]) >= {"user", "kueue", "subject", "QuotaReserved · w", "Admitted · w"}


def test_traffic_has_its_lanes(drawn):
    assert set(drawn["lanes"]) >= {*LANES}


def test_every_state_is_drawn(drawn):
    assert set(drawn["states"]) == {*WORKLOAD.states, *ENTRY.states}


def test_search_finds_by_id_and_says_how_many(drawn):
    used = drawn["used"]

    assert (used["one"], used["said"], used["none"]) == (1, "1 scenario found", 0)
    assert used["all"] == used["filters"]["only-all"] == len(WORST.scenarios)


def test_filters_choose_by_outcome_and_level(drawn):
    filters = drawn["used"]["filters"]
    aside = sum(one.outcome in (Outcome.UNSUPPORTED, Outcome.EXCLUDED) for one in WORST.scenarios)
    wrong = sum(one.outcome in html.TOLD for one in WORST.scenarios)

    assert (filters["only-aside"], filters["only-wrong"]) == (aside, wrong)
    assert filters["must"][0] == filters["must"][1] > 0


def test_every_command_can_be_copied(drawn):
    used = drawn["used"]

    assert used["buttons"] == used["commands"] > 0
    assert (used["copied"], used["label"]) == (used["command"], "copied")


def test_a_link_opens_what_it_leads_to_and_focus_is_seen(drawn):
    assert (drawn["used"]["opened"], drawn["used"]["ring"]) == (True, "solid")


def test_names_are_told_by_role_with_the_generated_name_on_hover(drawn):
    assert "QuotaReserved · workload A" in drawn["lanes"]
    assert not any("chk-010" in lane for lane in drawn["lanes"])


def test_without_scripts_it_is_whole(chromium, tmp_path):
    page = PAGES["report"].replace("<script>", '<script type="text/plain">')
    found = measure(chromium, page, tmp_path, width=NARROW, scheme=LIGHT)

    assert (found["used"], found["misplaced"], found["console"]) == (None, [], [])
    assert found["marks"] > 0


def test_ways_are_lines(drawn):
    assert drawn["paths"] > len(WORKLOAD.transitions)
    assert drawn["filled"] == 0


def test_every_write_has_a_mark_and_wrong_ones_are_marked_so(drawn):
    told = [one.first for one in causes_of(WORST)]
    told += [case for one in WORST.scenarios for case in html.cases_with_story(one)]

    assert drawn["marks"] == sum(len(one.timeline) for one in told)
    assert drawn["wrong"] == sum("broke" in step for one in told for step in one.timeline) > 0


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_from_disk(chromium, tmp_path, name):
    file = tmp_path / "report.html"
    file.write_text(PAGES[name], "utf-8")

    document, console = start(chromium, file.as_uri(), tmp_path)

    assert ("<h1>" in document, console) == (True, [])
