"""One mistake is one cause: a story in full,
and the ids of what fails of it too, in every form of a report.
"""

from xml.etree import ElementTree as ET

import pytest
import yaml

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.formats import annotations, junit, markdown, yaml_file
from kueue_conformance.report.formats.cards import card, cards
from kueue_conformance.report.results.causes import causes, causes_of
from kueue_conformance.report.story.object_roles import by_role, of_any_case
from kueue_conformance.scenarios.outcome import Outcome

from ..reporting.results import case, report

IDS = [
    name for name, scenario in inventory().items() if name.startswith("CHK-") and scenario.level == "must"
][:100]
EARLY = ({"rule": "CC-020", "text": "Workload workload-1-chk-010-ttdfp-838-morning: answered too early"},)


def text(name, observed):
    story = "\n".join(f"             rv {number}  kueue" for number in range(30))
    return f"{name}.a  title  [must]  [v0.19]\n  expected   it is so\n  observed   {observed}\n  story      rv 1\n{story}"


def failure(name, observed="other", **fields):
    return case(name, outcome=Outcome.FAILED, code="assertion", text=text(name, observed), **fields)


MANY = [failure(name, f"seen {number}", violations=EARLY, judged=True) for number, name in enumerate(IDS)]


def causes_in(results, *, strict=False):
    return causes(results, inventory(), strict=strict)


def test_what_breaks_one_rule_is_one_cause():
    (cause,) = causes_in(MANY)

    assert (cause.rule, cause.level, len(cause.scenarios), len(cause.others)) == ("CC-020", "must", 100, 99)
    assert by_role(cause.observed) == "workload A: answered too early"


def test_a_rule_that_is_broken_behind_another_is_a_cause_of_its_own():
    # A patch of the whole list breaks a rule in each scenario; in some of them the time is wrong too.
    patch, time = {"rule": "CC-040", "text": "no resourceVersion"}, {"rule": "CC-035", "text": "moves"}
    broken = [
        case(name, outcome=Outcome.FAILED, code="CC-040", violations=rules, judged=True)
        for name, rules in zip(IDS, ((patch,), (patch, time), (patch, time)), strict=False)
    ]

    told = [(cause.rule, cause.scenarios) for cause in causes_in(broken)]

    assert told == [("CC-040", tuple(IDS[:3])), ("CC-035", tuple(IDS[1:3]))]


def test_a_death_is_a_cause_of_its_own_whatever_rules_are_broken_beside_it():
    time = ({"rule": "CC-035", "text": "moves"},)
    dead = failure(IDS[0], "the subject died: ./acme ended with exit code 2", violations=time, judged=True)

    (cause,) = causes_in([dead])

    assert cause.observed == "the subject died: ./acme ended with exit code 2"


def test_what_one_case_breaks_beside_its_cause_is_no_other_cause():
    both = ({"rule": "CC-022", "text": "while Evicted"}, {"rule": "CC-039", "text": "as kueue-admission"})
    broken = [case(IDS[0], outcome=Outcome.FAILED, code="CC-022, CC-039", violations=both, judged=True)]

    assert [cause.rule for cause in causes_in(broken)] == ["CC-022"]


def test_what_was_seen_alike_is_one_cause_whatever_the_names_are():
    names = ("check-1-chk-014-ttdfp-838-now: Ready", "check-2-chk-015-ttdfp-abc-then: Ready", "gone")
    both, other = causes_in([failure(name, observed) for name, observed in zip(IDS, names, strict=False)])

    assert (sorted(both.scenarios), other.scenarios) == (IDS[:2], (IDS[2],))


RESET = [
    (
        "QuotaReserved=True (QuotaReserved); Evicted=False (QuotaReserved); check-1-chk-014-ttdfp-838-now: Pending; admission in queue",
        "Ready → Pending",
    ),
    ("QuotaReserved=True (QuotaReserved); check-1-chk-015-ttdfp-abc-then: Pending", "Retry → gone → Pending"),
]


@pytest.mark.parametrize("ending", ["", "Ready → "], ids=["never answered", "decided before"])
def test_an_entry_that_waits_again_is_one_cause_whatever_its_workload_went_through(ending):
    observations = [
        *RESET,
        ("QuotaReserved=True (QuotaReserved); check-1-chk-016-ttdfp-aaa-day: Pending", f"{ending}Pending"),
    ]
    ways = (
        f"  way        Workload w: none\n             check c of w: none → Pending → {history}"
        for _, history in observations
    )
    cases = [
        case(name, outcome=Outcome.FAILED, code="assertion", text=f"{text(name, observed)}\n{history}")
        for name, (observed, _), history in zip(IDS, observations, ways, strict=False)
    ]

    assert [len(cause.scenarios) for cause in causes_in(cases)] == ([3] if ending else [2, 1])


def test_a_case_that_breaks_several_rules_is_put_to_the_one_that_most_break():
    both = ({"rule": "CC-001", "text": "x: not its own"}, {"rule": "CC-040", "text": "x: the whole list"})
    (cause,) = causes_in([failure(IDS[0], violations=both), failure(IDS[1], violations=both[1:])])

    assert (cause.rule, cause.scenarios) == ("CC-040", tuple(IDS[:2]))


def test_a_rule_that_is_broken_where_every_clause_holds_hides_no_clause():
    whole_list = ({"rule": "CC-040", "text": "x: the whole list"},)
    by_the_rule = case(
        "CHK-001",
        outcome=Outcome.FAILED,
        code="CC-040",
        text="CC-040  [v0.19] safety rules",
        violations=whole_list,
    )
    clause = failure("CHK-014", "Ready", violations=whole_list)

    told = causes_in([by_the_rule, clause])

    assert [(one.rule, one.scenarios) for one in told] == [
        ("CC-040", ("CHK-001",)),
        ("kep-993#controller-stops-after-eviction", ("CHK-014",)),
    ]


def test_a_verdict_too_many_and_a_verdict_that_is_missing_are_two_causes():
    seen = {"CHK-014": ("Pending", "Ready"), "CHK-030": ("Ready", "Pending"), "CHK-036": ("Retry", "Pending")}
    told = causes_in(
        [
            case(
                name,
                outcome=Outcome.FAILED,
                code="assertion",
                text=text(name, f"check-1: {state}").replace(
                    "it is so", f"checks ['check-1'] are {expected}"
                ),
            )
            for name, (expected, state) in seen.items()
        ]
    )

    assert [cause.scenarios for cause in told] == [("CHK-030", "CHK-036"), ("CHK-014",)]


def test_must_stands_before_should_and_errors_last():
    should = next(
        name
        for name, scenario in inventory().items()
        if scenario.level == "should" and name.startswith("CHK-")
    )
    found_causes = causes_in(
        [failure(should, "b"), case("CHK-001", outcome=Outcome.ERROR, text="no server"), failure(IDS[0], "a")]
    )

    assert [(str(cause.level), cause.is_error()) for cause in found_causes] == [
        ("must", False),
        ("should", False),
        ("must", True),
    ]


def test_a_rule_that_does_not_bind_is_no_cause():
    hint = ({"rule": "CC-036", "text": "x: no text"},)
    (cause,), (strict,) = (
        causes_in([failure(IDS[0], violations=hint)]),
        causes_in([failure(IDS[0], violations=hint)], strict=True),
    )

    assert (cause.rule == "CC-036", strict.rule) == (False, "CC-036")


def test_a_card_is_one_screen():
    (cause,) = causes_in(MANY)
    lines = card(cause, 1, 1)

    assert (len(lines) <= 40, lines[0].startswith("1/1  failed CC-020 [must]  a check controller ")) == (
        True,
        True,
    )
    assert [line for line in lines if "and 99 more: " in line]
    assert "and 59 more in the report" in lines[-1]
    assert (
        len(cards(causes_in([*MANY, failure("ADM-204")])))
        == len(lines) + len(card(causes_in([failure("ADM-204")])[0], 2, 2)) + 2
    )


def test_a_long_story_is_cut():
    (cause,) = causes_in([case("ADM-204", outcome=Outcome.FAILED, text="x\n" * 500 + "  run again  it\n")])
    lines = card(cause, 1, 1)

    assert (len(lines) <= 40, lines[-1]) == (True, "  run again  it")


def test_reports_are_bounded_by_their_causes():
    document = report(MANY)
    summary, xml = markdown.render(document), junit.render(document)

    assert (summary.count("rv 29"), xml.count("rv 29")) == (1, 1)
    assert all(name in summary for name in IDS)
    assert "story      that of" in ET.fromstring(xml).findall(".//failure")[-1].text


@pytest.mark.parametrize("shown", [causes_of(report(MANY)), causes_in(MANY)], ids=["report", "results"])
def test_a_report_has_the_causes_of_its_results(shown):
    assert [cause.rule for cause in shown] == ["CC-020"]


def test_annotations_name_each_cause_once():
    document = report(
        [*MANY, case("ADM-012", outcome=Outcome.ERROR, text="ApiError: 50% no\nmore")], complete=False
    )
    lines = list(annotations.lines(yaml.safe_load(yaml_file.render(document))))

    assert lines[0].startswith(f"::error title={IDS[0]} and 99 more%3A CC-020 [must]::a check controller ")
    assert "%0Aexpected: " in lines[0]
    assert ("50%25 no" in lines[1], lines[2].startswith("::error title=Kueue conformance::INCOMPLETE")) == (
        True,
        True,
    )
    assert len(lines) == 3


def test_a_case_with_drawn_data_is_grouped_with_the_plain_one():
    names = (
        "workload-1-chk-188-hdql6-029-prairie: check-1-chk-188-hdql6-029-velvet: Pending",
        "workload-chk-188-hdql6-73d.spring-box-y-z.z: check-chk-188-hdql6-73d.degree-fig-y-z.z: Pending",
    )

    assert {*map(of_any_case, names)} == {"workload #: check #: Pending"}


def test_generated_names_are_told_by_role():
    assert (
        by_role("Workload workload-1-chk-014-ttdfp-838-morning in queue-2-chk-014-ttdfp-838-x")
        == "workload A in queue 2"
    )
    assert of_any_case("3.5 s of ready-probe-2-adm-204-abcde-0f0-a") == "# s of ready probe #"
