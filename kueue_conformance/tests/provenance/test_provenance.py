"""Where each scenario was last seen: from reports into a file, from the file into words (harness §10.3)."""

from datetime import date
from importlib import import_module

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.resources import schema
from kueue_conformance.catalogue import provenance
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.provenance import Stamp
from kueue_conformance.cli import cli
from kueue_conformance.report.afterwards.stamps import stamps
from kueue_conformance.report.formats.yaml_file import text
from kueue_conformance.scenarios.dialect import default
from kueue_conformance.scenarios.outcome import Outcome

from ..reporting.results import case, report

TODAY = date(2026, 11, 22)
PROVEN = {
    "kubernetes": "built from k8s.io/kubernetes/cmd/kube-apiserver",
    "kueue": "built from sigs.k8s.io/kueue/cmd/kueue",
}
REVISION = inventory()["ADM-200"].revision
SEEN = Stamp(date="2026-11-22", revision=REVISION, outcome="passed", dialects=default(), beside="reference")


def make_report(**environment):
    """Return a report as a run wrote it, on a backend of one's choice."""
    results = [case(), case("ADM-204", outcome=Outcome.FAILED), case("ADM-234", outcome=Outcome.UNSUPPORTED)]
    document = report(results).to_dict()
    return {
        **document,
        "date": "2026-11-22T01:00:00Z",
        "environment": {**document["environment"], **environment},
    }


@pytest.mark.parametrize(
    ("environment", "places"),
    [
        pytest.param({}, ["fake"], id="fake"),
        pytest.param(
            {"backend": "envtest", "program": "/opt/kube-apiserver", "proven": PROVEN},
            ["kube-apiserver"],
            id="real programs",
        ),
        pytest.param({"backend": "kind"}, ["kind"], id="kind"),
        pytest.param(
            {
                "backend": "kind",
                "controlPlane": "upstream",
                "kueue": {"observed": "v0.19.2"},
                "proven": PROVEN,
            },
            ["Kueue v0.19.2", "kind"],
            id="a real Kueue on kind",
        ),
        pytest.param(
            {
                "backend": "kubeconfig",
                "controlPlane": "upstream",
                "kueue": {"observed": "0.18.1"},
                "proven": PROVEN,
            },
            ["Kueue v0.18.1"],
            id="a real Kueue somewhere",
        ),
        pytest.param(
            {
                "backend": "envtest",
                "controlPlane": "upstream:./kueue",
                "kueue": {"observed": "v0.19.2"},
                "proven": PROVEN,
            },
            ["Kueue v0.19.2", "kube-apiserver"],
            id="a real Kueue as a process",
        ),
    ],
)
def test_where_a_report_saw_its_scenarios(environment, places):
    assert sorted(stamps(make_report(**environment))["ADM-200"]) == places


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"backend": "kubeconfig"}, id="an existing cluster"),
        pytest.param({"backend": "envtest", "program": "fakecluster 1.0"}, id="an imitation"),
        pytest.param(
            {"backend": "envtest", "program": "/opt/kube-apiserver"}, id="programs that nothing proves"
        ),
        pytest.param(
            {
                "backend": "kubeconfig",
                "controlPlane": "upstream:./mine",
                "kueue": {"observed": "v0.19.2"},
                "proven": {"kubernetes": "commit 1"},
            },
            id="something that only says that it is Kueue",
        ),
        pytest.param({"backend": "kubeconfig", "controlPlane": "upstream"}, id="a Kueue of unknown version"),
    ],
)
def test_a_report_that_does_not_tell_where_is_refused(environment):
    with pytest.raises(UsageError, match="does not prove its programs"):
        stamps(make_report(**environment))


def test_a_stamp_says_when_how_and_beside_whom():
    assert stamps(make_report())["ADM-200"]["fake"] == SEEN


def test_only_what_passed_or_failed_was_seen():
    assert {
        name: stamps_by_server["fake"].outcome for name, stamps_by_server in stamps(make_report()).items()
    } == {
        "ADM-200": "passed",
        "ADM-204": "failed",
    }


@pytest.mark.parametrize(
    ("day", "kept_day"),
    [
        pytest.param("2026-11-21", "2026-11-22", id="an older one does not replace it"),
        pytest.param("2026-12-01", "2026-12-01", id="a newer one does"),
    ],
)
def test_the_later_stamp_stays(day, kept_day):
    other = Stamp(**{**SEEN.to_dict(), "date": day})

    assert (
        provenance.merge({"ADM-200": {"fake": SEEN}}, {"ADM-200": {"fake": other}})["ADM-200"]["fake"].date
        == kept_day
    )


def test_places_add_up():
    merged = provenance.merge(
        {"ADM-200": {"fake": SEEN}}, {"ADM-200": {"kind": SEEN}, "ADM-204": {"kind": SEEN}}
    )

    assert {name: sorted(stamps_by_server) for name, stamps_by_server in merged.items()} == {
        "ADM-200": ["fake", "kind"],
        "ADM-204": ["kind"],
    }


@pytest.mark.parametrize(
    ("scenario", "stamp", "why"),
    [
        pytest.param(
            "ADM-200", {"revision": 7}, f"the scenario is at revision {REVISION} now", id="changed since"
        ),
        pytest.param("ADM-200", {"date": "2026-08-01"}, "seen more than 90 days ago", id="long ago"),
        pytest.param("ADM-200", {"outcome": "failed"}, "it failed", id="failed"),
        pytest.param("ADM-999", {}, "there is no such scenario any more", id="gone"),
    ],
)
def test_what_is_stale(scenario, stamp, why):
    stamps_by_scenario = {scenario: {"fake": SEEN, "kind": Stamp(**{**SEEN.to_dict(), **stamp})}}
    stale_stamps = provenance.stale(stamps_by_scenario, {"ADM-200": inventory()["ADM-200"]}, TODAY)

    assert (scenario, "kind", why) in [
        (stale_stamp.scenario, stale_stamp.server, stale_stamp.why) for stale_stamp in stale_stamps
    ]


def test_what_nobody_ever_saw_is_stale():
    only = {"ADM-200": inventory()["ADM-200"]}

    assert [stale_stamp.why for stale_stamp in provenance.stale({}, only, TODAY)] == ["never seen"]
    assert provenance.stale({"ADM-200": {"fake": SEEN}}, only, TODAY) == []


def test_what_is_written_is_read(tmp_path):
    stamps_by_scenario = {"ADM-204": {"kind": SEEN, "fake": SEEN}, "ADM-200": {"Kueue v0.19.2": SEEN}}
    file = tmp_path / "p.yaml"
    file.write_text(provenance.text(stamps_by_scenario))

    assert provenance.read(file) == stamps_by_scenario
    assert [line for line in file.read_text().splitlines() if line.endswith(":")][1:] == [
        "  ADM-200:",
        "  ADM-204:",
    ]


def test_a_file_of_another_shape_is_told(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text("apiVersion: kueue-conformance.dev/v1\nkind: Provenance\nscenarios: {ADM-1: {}}\n")

    with pytest.raises(UsageError, match="is wrong at"):
        provenance.read(file)


def test_the_shipped_file_keeps_to_its_schema_and_to_its_order():
    shipped_text = provenance.file().read_text("utf-8")

    assert list(Draft202012Validator(schema("provenance")).iter_errors(yaml.safe_load(shipped_text))) == []
    assert provenance.text(provenance.shipped_stamps()) == shipped_text


def test_record_and_list(tmp_path):
    (tmp_path / "report.yaml").write_text(text({**make_report(), "date": "2026-11-22T01:00:00Z"}))
    words = ["--file", str(tmp_path / "p.yaml")]
    recorded = CliRunner().invoke(cli, ["provenance", "record", str(tmp_path / "report.yaml"), *words])
    listed = CliRunner().invoke(cli, ["provenance", "list", *words])

    assert recorded.output.splitlines()[0].endswith("2 scenario(s) seen on fake")
    assert (
        f"ADM-200  fake: passed 2026-11-22, revision {REVISION}, {default()}, beside reference"
        in listed.output.splitlines()
    )


def test_what_is_no_scenario_any_more_is_dropped(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(provenance.text({"ADM-204": {"kind": SEEN}, "ADM-999": {"kind": SEEN}}))
    (tmp_path / "report.yaml").write_text(text({**make_report(), "date": "2026-11-22T01:00:00Z"}))

    CliRunner().invoke(cli, ["provenance", "record", str(tmp_path / "report.yaml"), "--file", str(file)])

    assert {"ADM-200", "ADM-204"} <= provenance.read(file).keys()
    assert "ADM-999" not in provenance.read(file)


def test_stale_ones_end_with_a_code(tmp_path):
    done = CliRunner().invoke(
        cli, ["provenance", "list", "--stale", "--file", str(tmp_path / "none.yaml")], standalone_mode=False
    )

    assert done.return_value == 1
    assert "ADM-200  fake: never seen" in done.output.splitlines()


def test_never_seen_at_a_place(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(provenance.text({"ADM-200": {"kind": SEEN}}))
    done = CliRunner().invoke(cli, ["provenance", "list", "--never", "kind", "--file", str(file)])

    assert "ADM-204" in done.output.splitlines()
    assert "ADM-200" not in done.output.splitlines()


def test_explain_says_where_a_scenario_was_seen(monkeypatch):
    # The command of this name hides its module.
    monkeypatch.setattr(
        import_module("kueue_conformance.cli.list_command"),
        "shipped_stamps",
        lambda: {"ADM-200": {"kind": SEEN}},
    )
    done = CliRunner().invoke(cli, ["explain", "ADM-200"])

    assert (
        f"  seen      on kind: passed 2026-11-22, revision {REVISION}, {default()}, beside reference"
        in done.output.splitlines()
    )


def test_the_page_says_where_a_scenario_was_seen(monkeypatch):
    monkeypatch.setattr(
        "kueue_conformance.report.page.html.shipped_stamps", lambda: {"ADM-200": {"kind": SEEN}}
    )
    from kueue_conformance.report.page.html import render

    page = render(report())

    assert "<summary>Last seen</summary>" in page
    assert "on kind: passed 2026-11-22" in page
