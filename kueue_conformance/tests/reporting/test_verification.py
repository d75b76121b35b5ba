"""`verify` detects every kind of tampering (H-28)."""

import copy

import pytest
import yaml

from kueue_conformance.base.errors import UsageError
from kueue_conformance.report.afterwards.check import load, problems
from kueue_conformance.report.formats import yaml_file

from .results import FAILED, PASSED, report

WHOLE = yaml.safe_load(yaml_file.render(report(FAILED)))


def with_change(*path, to):
    """Return the report with one thing in it changed."""
    changed_report = copy.deepcopy(WHOLE)
    *parents, last = path
    parent = changed_report
    for step in parents:
        parent = parent[step]
    parent[last] = to
    return changed_report


@pytest.mark.parametrize("results", [PASSED, FAILED], ids=["passed", "failed"])
def test_an_honest_report_holds_together(results):
    assert problems(yaml.safe_load(yaml_file.render(report(results)))) == []


@pytest.mark.parametrize(
    ("tampered", "problem"),
    [
        pytest.param(
            with_change("apiVersion", to="v0"),
            "apiVersion: 'kueue-conformance.dev/v1' was expected",
            id="version",
        ),
        pytest.param(with_change("date", to="yesterday"), "date: 'yesterday' does not match", id="date"),
        pytest.param(with_change("seed", to="x"), "seed: 'x' is not of type 'integer'", id="seed"),
        pytest.param(
            with_change("more", to=1),
            "Additional properties are not allowed ('more' was unexpected)",
            id="more",
        ),
        pytest.param(
            with_change("suite", "inventoryDigest", to="sha256:" + "0" * 64),
            "suite.inventoryDigest: this suite has other scenarios or revisions than the report's",
            id="digest",
        ),
        pytest.param(
            with_change("suite", "scenarios", to=3), "suite.scenarios: says 3, the suite has ", id="amount"
        ),
        pytest.param(
            with_change("scenarios", 0, "id", to="ADM-999"), "scenarios: ADM-999 is not in the suite", id="id"
        ),
        pytest.param(
            with_change("scenarios", 0, "title", to="x"),
            "scenarios: ADM-012 has another title or level in the suite",
            id="title",
        ),
        pytest.param(
            with_change("scenarios", 0, "level", to="may"),
            "scenarios: ADM-012 has another title or level in the suite",
            id="level",
        ),
        pytest.param(
            with_change("scenarios", to=WHOLE["scenarios"][::-1]),
            "scenarios: not in order of their ids, or one is there twice",
            id="order",
        ),
        pytest.param(
            with_change("scenarios", 2, "outcome", to="passed"),
            "ADM-204: says passed, its cases amount to failed",
            id="outcome",
        ),
        pytest.param(
            with_change("scenarios", 2, "cases", 0, "outcome", to="passed"),
            "ADM-204: says failed, its cases amount to passed",
            id="outcome of a case",
        ),
        pytest.param(
            with_change("scenarios", to=WHOLE["scenarios"][:2]),
            "profile ADMISSION: counts ",
            id="scenario left out",
        ),
        pytest.param(
            with_change("profiles", 0, "core", "failed", to=[]),
            "profile ADMISSION: failed [], its scenarios amount to ['ADM-012', 'ADM-204']",
            id="failures left out",
        ),
        pytest.param(
            with_change("profiles", 0, "summary", to="all passed"), "profile ADMISSION: counts ", id="summary"
        ),
        pytest.param(
            with_change("profiles", 0, "result", to="success"),
            "profile ADMISSION: says success, its scenarios amount to failure",
            id="result",
        ),
        pytest.param(
            with_change(
                "safetyRules",
                to=[
                    {
                        "id": "CC-020",
                        "level": "must",
                        "rule": "r",
                        "violations": [{"scenario": "ADM-200", "test": "test_x[v0.19]", "text": "t"}],
                    }
                ],
            ),
            "safetyRules: CC-020 was broken in test_x[v0.19], which says passed",
            id="broken rule",
        ),
        pytest.param(
            with_change(
                "safetyRules",
                to=[
                    {
                        "id": "CC-020",
                        "level": "must",
                        "rule": "r",
                        "violations": [{"scenario": "ADM-200", "test": "nobody", "text": "t"}],
                    }
                ],
            ),
            "safetyRules: CC-020 names nobody, which is no case of ADM-200",
            id="broken rule of no case",
        ),
    ],
)
def test_tampering_is_found(tampered, problem):
    assert any(problem in found_problem for found_problem in problems(tampered)), problems(tampered)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "cannot be read: No such file or directory", id="missing"),
        pytest.param(b"a: [", "is not YAML", id="no YAML"),
        pytest.param(b"\xff\xfe\x00", "is not YAML", id="no text"),
        pytest.param(b"kind: Pod\n", "is not a conformance report", id="foreign"),
        pytest.param(b"- 1\n", "is not a conformance report", id="a list"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, content, message):
    path = tmp_path / "report.yaml"
    [path.write_bytes(present_content) for present_content in (content,) if present_content is not None]

    with pytest.raises(UsageError, match=message):
        load(str(path))
