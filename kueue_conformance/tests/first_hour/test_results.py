"""A list of results over files: a folder of reports, in which two builds of one version are two rows."""

import pytest
import yaml
from click.testing import CliRunner

from kueue_conformance.cli import cli
from kueue_conformance.report.afterwards.matrix import matrix

from ..reporting.results import PASSED, report


def of(date, project="acme", version="0.1.0"):
    document = report(PASSED).to_dict()
    return {**document, "date": date, "implementation": {"project": project, "version": version}}


FIRST, SECOND = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def rows(**reports):
    return [row.subject for row in matrix(reports).rows]


def test_builds_of_one_version_are_told_apart_by_when_they_were_judged():
    assert rows(a=of(FIRST), b=of(SECOND), c=of(FIRST, "other")) == [
        f"acme 0.1.0 {FIRST}",
        f"acme 0.1.0 {SECOND}",
        "other 0.1.0",
    ]


def test_two_reports_of_one_moment_are_told_apart_by_their_files():
    assert rows(a=of(FIRST), b=of(FIRST)) == [f"acme 0.1.0 {FIRST} a", f"acme 0.1.0 {FIRST} b"]


@pytest.fixture
def results(tmp_path):
    for name, document in (
        ("acme/acme-0.1.0-report.yaml", of(FIRST)),
        ("other/report.yaml", of(FIRST, "other")),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(yaml.safe_dump(document))
    (tmp_path / "notes.yaml").write_text("a: 1\n")
    return tmp_path


def test_a_folder_is_a_list_of_results(results):
    done = CliRunner().invoke(cli, ["report", "matrix", str(results)], standalone_mode=False)

    assert ("| acme 0.1.0 |" in done.output, "| other 0.1.0 |" in done.output) == (True, True), done.exception


def test_a_folder_without_reports_is_told(tmp_path):
    done = CliRunner().invoke(cli, ["report", "matrix", str(tmp_path)], standalone_mode=False)

    assert "has no file whose name ends with report.yaml" in str(done.exception)
