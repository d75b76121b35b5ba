"""When an entry is about a case, and when the case is as expected (harness/H-17, §10.4)."""

from datetime import date

import pytest

from kueue_conformance.expectations import Situation
from kueue_conformance.scenarios.outcome import Outcome

from .written import entry, read_entries

HERE = Situation(dialect="v0.19", backend="kubeconfig:x", control_plane="scripted", subject="v1.4.2")
DAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("when", "about"),
    [
        pytest.param("{}", True, id="always"),
        pytest.param("{dialect: v0.19}", True, id="a name"),
        pytest.param("{dialect: [v0.6, v0.19]}", True, id="one of two"),
        pytest.param("{dialect: kep993}", False, id="another name"),
        pytest.param("{dialect: '>=0.15,<0.20'}", True, id="in a range"),
        pytest.param("{dialect: '>=0.15,<0.19'}", False, id="outside a range"),
        pytest.param("{backend: kubeconfig}", True, id="backend"),
        pytest.param("{backend: fake}", False, id="another backend"),
        pytest.param("{control-plane: scripted, subject: '<1.5'}", True, id="both"),
        pytest.param("{control-plane: scripted, subject: '>=1.5'}", False, id="only one of both"),
        pytest.param("{subject: '==1.4.2'}", True, id="version"),
    ],
)
def test_conditions(tmp_path, when, about):
    (read_entry,) = read_entries(tmp_path, entry(when=when)).entries

    assert read_entry.is_about("CHK-010", HERE, DAY) is about


@pytest.mark.parametrize(("dialect", "about"), [("v0.19", True), ("kep993", False), ("", False)])
def test_a_range_says_nothing_of_a_dialect_outside_the_order(tmp_path, dialect, about):
    (read_entry,) = read_entries(tmp_path, entry(when="{dialect: '>0.1'}")).entries

    assert read_entry.is_about("CHK-010", Situation(dialect=dialect), DAY) is about


@pytest.mark.parametrize(("expires", "about"), [("2026-11-21", True), ("2026-11-20", False)])
def test_an_entry_means_nothing_after_its_day(tmp_path, expires, about):
    (read_entry,) = read_entries(tmp_path, entry(expires=expires)).entries

    assert read_entry.is_about("CHK-010", HERE, DAY) is about


@pytest.mark.parametrize(
    ("fields", "outcome", "fingerprint", "expected"),
    [
        pytest.param({}, Outcome.FAILED, "CHK-010.b", True, id="any clause"),
        pytest.param({"clause": "b"}, Outcome.FAILED, "CHK-010.b", True, id="the clause"),
        pytest.param({"clause": "CHK-010.b"}, Outcome.FAILED, "CHK-010.b", True, id="the clause in full"),
        pytest.param({"clause": "a"}, Outcome.FAILED, "CHK-010.b", False, id="another clause"),
        pytest.param({"clause": "CC-020"}, Outcome.FAILED, "CC-020", True, id="the rule"),
        pytest.param({"clause": "CC-020"}, Outcome.FAILED, "CC-020, CC-031", False, id="a rule more"),
        pytest.param({}, Outcome.ERROR, "SubjectDied", False, id="an error is no failure"),
        pytest.param({"outcome": "error"}, Outcome.ERROR, "SubjectDied", True, id="error"),
        pytest.param({"outcome": "flaky"}, Outcome.FAILED, "CHK-010.b", True, id="flaky"),
        pytest.param({"outcome": "skip"}, Outcome.FAILED, "CHK-010.b", False, id="skip"),
    ],
)
def test_what_is_expected(tmp_path, fields, outcome, fingerprint, expected):
    (read_entry,) = read_entries(tmp_path, entry(**fields)).entries

    assert read_entry.expects("CHK-010", outcome, fingerprint) is expected
