"""conformance.sarif: a result for each cause, its rule from the catalogue, its place the subject file."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from kueue_conformance.report.formats import sarif
from kueue_conformance.scenarios.outcome import Outcome

from .results import FAILED, PASSED, case, report

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
RULE = {
    "type": "object",
    "required": ["id", "shortDescription", "help"],
    "properties": {"id": {"type": "string", "minLength": 1}, "shortDescription": TEXT, "fullDescription": TEXT, "help": TEXT},
}  # fmt: skip
PLACE = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {"type": "object", "required": ["uri"]},
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}},
            },
        }
    },
}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "ruleIndex", "level"],
    "properties": {
        "message": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "locations": {"type": "array", "items": PLACE},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
LOG = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {"type": "object", "required": ["name"], "properties": {"rules": {"type": "array", "items": RULE}}}
                        },
                    },
                    "invocations": {"type": "array", "items": {"type": "object", "required": ["executionSuccessful"]}},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}  # fmt: skip
"""What SARIF 2.1.0 requires, and code scanning of GitHub besides: a rule's text and help."""
BREACH = {"rule": "CC-020", "text": "workload w: entry c: Pending → Ready while no quota is reserved"}
BROKEN = case(
    "CHK-010", outcome=Outcome.FAILED, code="CC-020", text="CHK-010.a  no", judged=True, violations=(BREACH,)
)


def log(results, *, complete=True, **options):
    document = report(results, complete=complete)
    environment = {**document.environment, "options": {**document.environment["options"], **options}}
    return json.loads(sarif.render(replace(document, environment=environment)))


@pytest.mark.parametrize(
    "results", [PASSED, FAILED, [*FAILED, BROKEN], []], ids=["passed", "failed", "rule", "none"]
)
def test_it_has_what_the_format_requires(results):
    assert list(Draft202012Validator(LOG).iter_errors(log(results, **{"subject-file": "subject.yaml"}))) == []


def test_a_success_has_no_result():
    (run,) = log(PASSED)["runs"]

    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_a_broken_rule_has_its_text_and_what_to_do():
    (run,) = log([*PASSED, BROKEN])["runs"]
    (result,), (rule,) = run["results"], run["tool"]["driver"]["rules"]

    assert (result["ruleId"], result["level"], rule["id"]) == ("CC-020", "error", "CC-020")
    assert rule["shortDescription"]["text"] == "a check controller writes no verdict before quota is reserved"
    assert "Wait for QuotaReserved=True" in rule["help"]["text"]
    assert "observed: workload w: entry c: Pending → Ready" in result["message"]["text"]


def test_a_requirement_says_where_it_stands():
    rules = {rule["id"]: rule for rule in log(FAILED)["runs"][0]["tool"]["driver"]["rules"]}

    assert "Where it stands: kep-993, " in rules["kep-993#prechecked-to-suspended-retry"]["help"]["text"]


def test_rules_are_named_by_their_index():
    (run,) = log([*FAILED, BROKEN])["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]

    assert len(run["results"]) == 3
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]


def uris(document):
    return [
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in document["runs"][0]["results"]
        for place in result["locations"]
    ]


def test_the_place_is_the_subject_file_by_its_path_in_the_repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "services/my acme").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "services/my acme")

    assert uris(log([BROKEN], **{"subject-file": "subject.yaml"})) == ["services/my%20acme/subject.yaml"]


def test_without_a_subject_file_there_is_no_place():
    assert uris(log([BROKEN])) == []


def test_a_cause_is_the_same_in_the_next_run():
    again = replace(
        BROKEN, violations=({**BREACH, "text": BREACH["text"].replace("workload w", "workload x")},)
    )
    first, second = (log([result])["runs"][0]["results"][0] for result in (BROKEN, again))

    assert first["partialFingerprints"] == second["partialFingerprints"]
    assert first["message"] != second["message"]


def test_a_run_that_was_cut_short_was_not_successful():
    (invocation,) = log(FAILED, complete=False)["runs"][0]["invocations"]

    assert invocation["executionSuccessful"] is False
    assert invocation["exitCodeDescription"].startswith("INCOMPLETE")
