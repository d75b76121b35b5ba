"""Subjects × profiles × dialects (harness/H-30)."""

import re

import pytest
from jsonschema import Draft202012Validator

from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.resources import schema
from kueue_conformance.report.afterwards.matrix import markdown, matrix
from kueue_conformance.report.page import html
from kueue_conformance.scenarios.outcome import Outcome

from .results import case, report


def of(project, *results, complete=True):
    document = report(results, complete=complete).to_dict()
    document["implementation"] = {"project": project, "version": "1.0"}
    document["environment"]["dialects"] = sorted({result.dialect for result in results})
    return document


BAD = {"outcome": Outcome.FAILED, "code": "assertion"}
MADE = matrix(
    {
        "b": {
            **of("b|c", case(), case("ADM-204", **BAD), case("ADM-002")),
            "footprint": {"costOfAChange": {"requests": 1.5}},
        },
        "a": of(
            "a",
            case(),
            case("ADM-204"),
            case("ADM-204", "test_x[v0.6]", dialect="v0.6", **BAD),
            complete=False,
        ),
    }
)


def test_markdown():
    assert markdown(MADE).splitlines() == [
        "# Conformance matrix",
        "",
        "| subject | on | ADMISSION v0.19 | ADMISSION v0.6 |",
        "|---|---|---|---|",
        "| a 1.0 (incomplete) | fake, reference | **incomplete** 2 passed | **failure** 1 failed |",
        "| b\\|c 1.0 | fake, reference | **failure** 2 passed · 1 failed | – |",
        "",
        "## Where they differ",
        "",
        "| scenario | title | a 1.0 (fake, reference) | b\\|c 1.0 (fake, reference) |",
        "|---|---|---|---|",
        f"| ADM-002 | {MADE.titles['ADM-002']} | – | passed |",
        "",
        "## What a change costs the API server",
        "",
        "|  | a 1.0 (fake, reference) | b\\|c 1.0 (fake, reference) |",
        "|---|---|---|",
        "| requests | – | 1.5 |",
    ]


def test_page_has_every_cell_and_needs_nothing_from_outside():
    page = html.render_matrix(MADE)

    assert re.findall(r'<b class="(\w+)">', page) == ["error", "incomplete", "failure", "failure"]
    assert re.findall(r"src=|href=|https?://|<script", page) == []


def test_document_keeps_to_its_schema():
    assert list(Draft202012Validator(schema("matrix")).iter_errors(MADE.to_dict())) == []


def test_reports_of_different_suites_are_refused():
    other = of("b", case())
    other["suite"]["inventoryDigest"] = "sha256:0"

    with pytest.raises(UsageError, match="of 2 different suites"):
        matrix({"a": of("a", case()), "b": other})
