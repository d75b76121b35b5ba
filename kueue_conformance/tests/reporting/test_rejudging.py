"""The safety rules again over kept stories (harness/N-15)."""

from dataclasses import replace

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.afterwards import rejudged_report
from kueue_conformance.report.afterwards.check import problems
from kueue_conformance.report.afterwards.rejudged_report import rejudge
from kueue_conformance.report.evidence import Folder, write
from kueue_conformance.scenarios.outcome import Outcome

from .results import case, report
from .stories import CHANGES, KEPT, RESERVED, workload

BROKEN = (
    {"rule": "CC-020", "text": "Workload w: entry check: Pending → Ready while no quota is reserved"},
    {
        "rule": "CC-026",
        "text": 'Workload w: the API server refused it: status.admissionChecks[0].state: Unsupported value: "Yes"',
    },
)
RULES = "CC-020, CC-026"
RESERVED_PENDING = workload("Pending", "QuotaReserved")
GOOD = replace(KEPT, changes=CHANGES[:3], requests=(), attempts=())


@pytest.fixture
def judge_again(tmp_path):
    """Judge a case again whose story is given."""

    def judge_story(evidence=KEPT, **fields):
        name = Folder(tmp_path).write("story.ndjson", write(evidence))
        document = report([case("CHK-010", judged=True, evidence=name, **fields)]).to_dict()
        return rejudge(document, tmp_path)

    return judge_story


def outcome(rejudgement):
    (scenario_row,) = rejudgement.report["scenarios"]
    return (
        scenario_row["outcome"],
        scenario_row["cases"][0].get("code", ""),
        rejudgement.report["profiles"][0]["result"],
    )


def test_what_was_judged_rightly_stays(judge_again):
    rejudgement = judge_again(violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t")

    assert (rejudgement.new, rejudgement.gone, outcome(rejudgement)) == ([], [], ("failed", RULES, "failure"))
    assert rejudgement.report["scenarios"][0]["cases"][0]["text"] == "t"


def test_a_breach_that_was_not_seen_then_fails_the_case_now(judge_again):
    rejudgement = judge_again()

    assert [line.partition(" ")[0] for line in rejudgement.new] == ["CC-020", "CC-026"]
    assert outcome(rejudgement) == ("failed", RULES, "failure")


def test_a_breach_that_is_none_any_more_passes(judge_again):
    rejudgement = judge_again(GOOD, violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t")

    assert (len(rejudgement.gone), outcome(rejudgement)) == (2, ("passed", "", "success"))


def test_what_another_turn_broke_is_not_known_again(judge_again):
    # The story that was kept is that of a turn in which nothing was broken.
    rejudgement = judge_again(
        GOOD, violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t", turns={f"failed {RULES}": 2}
    )
    breaches = [rule for rule in rejudgement.report["safetyRules"] if rule["violations"]]

    assert (rejudgement.new, rejudgement.gone, len(rejudgement.unknown)) == ([], [], 2)
    assert (outcome(rejudgement), len(breaches)) == (("failed", RULES, "failure"), 2)


def test_what_the_kept_turn_broke_is_judged_again(judge_again):
    turns = {f"failed {RULES}": 2}
    rejudgement = judge_again(violations=BROKEN, outcome=Outcome.FAILED, code=RULES, text="t", turns=turns)

    assert (rejudgement.new, rejudgement.gone, rejudgement.unknown) == ([], [], [])


def test_a_breach_that_its_scenario_permits_is_none(judge_again, monkeypatch):
    about = replace(inventory()["CHK-010"], permits=("CC-020",))
    monkeypatch.setattr(rejudged_report, "inventory", lambda: {**inventory(), "CHK-010": about})

    assert outcome(judge_again()) == ("failed", "CC-026", "failure")


@pytest.mark.parametrize(("timeout_scale", "breaches"), [(1.0, ["CC-035"]), (3.0, [])])
def test_a_time_is_judged_by_the_speed_of_the_machine_then_cc_035(judge_again, timeout_scale, breaches):
    late = replace(CHANGES[3], before=RESERVED_PENDING, after=RESERVED, at=12.0)
    reserved = replace(CHANGES[2], after=RESERVED_PENDING)
    evidence = replace(
        GOOD, about={**GOOD.about, "timeoutScale": timeout_scale}, changes=(*CHANGES[:2], reserved, late)
    )
    rejudgement = judge_again(evidence)

    assert [line.partition(" ")[0] for line in rejudgement.new] == breaches


def test_what_a_clause_decided_stays(judge_again):
    rejudgement = judge_again(GOOD, outcome=Outcome.FAILED, code="assertion", text="CHK-010.a  no")

    assert outcome(rejudgement) == ("failed", "assertion", "failure")


def test_the_report_holds_together_and_says_that_it_was_judged_again(judge_again):
    rejudgement = judge_again()

    assert (problems(rejudgement.report), rejudgement.report["rejudged"]["cases"]) == ([], 1)


def test_without_evidence_nothing_can_be_judged(tmp_path):
    with pytest.raises(UsageError, match="names no evidence"):
        rejudge(report([case("CHK-010")]).to_dict(), tmp_path)
