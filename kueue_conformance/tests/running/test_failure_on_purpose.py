"""A cluster without a control plane: the page explains why a Workload is not admitted (issue section 4)."""

import html
import re

import pytest
import yaml

from kueue_conformance.catalogue.requirement import catalogue

from ..command_line.processes import run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
RULE = catalogue()["kep-993#admitted-without-checks"]


@pytest.fixture(scope="module")
def report_folder(tmp_path_factory):
    """The folder of the report of a run that must fail."""
    folder = tmp_path_factory.mktemp("failed")
    words = (
        "--profile",
        "ADMISSION",
        "--control-plane",
        "scripted",
        "--seed",
        "5",
        "--report-dir",
        "report",
        "-n0",
    )
    done = run("run", "ADM-206", *words, cwd=folder, timeout=200)
    assert done.code == 1
    assert "failed: ADM-206 test_admitted_without_checks[v0.20-workload]" in done.out
    return folder / "report"


@pytest.fixture(scope="module")
def page(report_folder):
    return html.unescape((report_folder / "report.html").read_text("utf-8"))


@pytest.mark.parametrize(
    "explanation",
    [
        pytest.param(f"rule       {RULE.id}: {RULE.rule}", id="rule"),
        pytest.param(": Admitted (within 10 s, budget 'admit')", id="expected"),
        pytest.param("observed   no admission", id="observed"),
        pytest.param('<td data-label="what">created</td>', id="timeline"),
        pytest.param("<circle ", id="drawing"),
        pytest.param(
            "run again  kueue-conformance run ADM-206 --dialect=v0.20 --seed=5 --control-plane=scripted",
            id="run again",
        ),
    ],
)
def test_page_explains_the_failure(page, explanation):
    assert explanation in page


def test_page_needs_no_network(page):
    assert not re.search(r"https?://|<script[^>]+src|<link|@import|url\(", page)


def test_report_says_which_clause_failed(report_folder):
    document = yaml.safe_load((report_folder / "report.yaml").read_text("utf-8"))

    cases = {case["outcome"]: case.get("clause") for case in document["scenarios"][0]["cases"]}
    assert cases == {"failed": "ADM-206.a"}
