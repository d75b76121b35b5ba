"""Runs over time: what broke when, flakes by version, growing cases; one page for each subject."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from kueue_conformance.cli import cli
from kueue_conformance.report.afterwards.history import histories
from kueue_conformance.report.formats import yaml_file
from kueue_conformance.report.page import html
from kueue_conformance.scenarios.outcome import Outcome

from .results import case, report

P, F, E, X, FLAKY = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.UNSUPPORTED, Outcome.FLAKY


def night(day, outcome, *, version="", project="budget", seconds=0.5):
    """Return the report of a run in which ADM-200 passed and ADM-204 ended so."""
    document = report([case("ADM-200"), case("ADM-204", outcome=outcome, seconds=seconds)])
    implementation = {"subject": "process:x", "project": project, "version": version}
    return replace(document, date=f"2026-11-{day:02}T01:00:00Z", implementation=implementation)


def history(*nights):
    (only,) = histories({f"{at}.yaml": document.to_dict() for at, document in enumerate(nights)})
    return only


def nights(*outcomes, versions=None):
    return [
        night(day, outcome, version=versions[day - 1] if versions else "")
        for day, outcome in enumerate(outcomes, 1)
    ]


@pytest.mark.parametrize(
    ("outcomes", "changes"),
    [
        pytest.param([P, P], [], id="nothing"),
        pytest.param([P, F, F], [("broke", 2)], id="broke"),
        pytest.param([F, F, P], [("was mended", 3)], id="mended"),
        pytest.param([P, F, P], [("was mended", 3), ("broke", 2)], id="the newest first"),
        pytest.param([F, E], [("changed", 2)], id="otherwise bad"),
        pytest.param([P, X, P], [], id="not judged between"),
        pytest.param([P, X, F], [("broke", 3)], id="broke after a gap"),
        pytest.param([P, Outcome.XPASSED], [], id="unexpectedly good"),
    ],
)
def test_what_broke_when(outcomes, changes):
    seen = history(*nights(*outcomes)).changes

    assert [(change.word, int(change.run.date[8:10])) for change in seen] == changes


@pytest.mark.parametrize(
    ("outcomes", "versions", "flakes"),
    [
        pytest.param([P, F, P], ["1", "1", "1"], {"ADM-204": 1}, id="one version"),
        pytest.param([P, F, P], ["1", "2", "3"], {}, id="three versions"),
        pytest.param([P, F, P], ["", "", ""], {}, id="no version"),
        pytest.param([P, FLAKY], ["1", "2"], {"ADM-204": 1}, id="said to be"),
        pytest.param([P, X], ["1", "1"], {}, id="unsupported"),
        pytest.param([F, F], ["1", "1"], {}, id="steady"),
    ],
)
def test_flakes(outcomes, versions, flakes):
    assert history(*nights(*outcomes, versions=versions)).flakes == flakes


@pytest.mark.parametrize(
    ("first", "last", "grown"),
    [(0.2, 0.4, ["ADM-204"]), (0.2, 0.29, []), (0.01, 0.05, []), (0.4, 0.2, [])],
)
def test_what_became_slower(first, last, grown):
    past = history(night(1, P, seconds=first), night(2, P, seconds=last))

    assert [row.scenario for row in past.growth] == grown


def test_runs_are_in_order_of_their_dates_whatever_the_files_are_called():
    past = history(night(3, F), night(1, P), night(2, P))

    assert [run.date[8:10] for run in past.runs] == ["01", "02", "03"]
    assert [change.word for change in past.changes] == ["broke"]


def test_each_subject_has_its_own():
    documents = {"a": night(1, P).to_dict(), "b": night(2, F, project="other").to_dict()}

    assert [(past.subject, len(past.runs), past.changes) for past in histories(documents)] == [
        ("budget", 1, []),
        ("other", 1, []),
    ]


def test_the_page_names_all_of_it():
    page = html.render_history([history(*nights(P, F, P, versions=["1", "1", "1"]))])

    assert page.count("2026-11-02T01:00:00Z") == 2
    assert "<td>broke</td>" in page
    assert '<b class="flaky">flake</b>, 1 of 3 runs' in page
    assert "http" not in page


def test_the_command_reads_folders(tmp_path):
    for day, document in enumerate(nights(P, F), 1):
        (tmp_path / f"nightly/{day}").mkdir(parents=True)
        (tmp_path / f"nightly/{day}/report.yaml").write_text(yaml_file.render(document))
    page = tmp_path / "history.html"

    done = CliRunner().invoke(
        cli, ["report", "history", str(tmp_path / "nightly"), "--out", str(page)], standalone_mode=False
    )

    assert (done.exception, done.return_value) == (None, 0)
    assert "<td>broke</td>" in page.read_text("utf-8")
