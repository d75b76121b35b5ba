"""A report says which autoscaler was judged, and only a proven cluster-autoscaler is stamped as one."""

import sys
from pathlib import Path

import pytest

from kueue_conformance import __version__, autoscalers
from kueue_conformance.autoscalers.release import ask_for_release, release_in
from kueue_conformance.base.errors import UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.catalogue.provenance import Stamp, shipped_stamps
from kueue_conformance.programs.proof import Unproven
from kueue_conformance.report.afterwards.stamps import stamps

from ..reporting.results import case, report

ID = "PRQ-001"
OURS = Path(sys.executable).parent / "kueue-autoscaler"
REAL = "cluster-autoscaler v1.36.1"
BUILT = {"autoscaler": "built from k8s.io/autoscaler/cluster-autoscaler"}


def report_on(chosen, observed, **environment):
    """Return a report of one scenario about an autoscaler."""
    document = report([case(ID, dialect="ca-1.36")], profile="PROVISIONING-REQUEST").to_dict()
    environment_fields = {
        "autoscaler": {"chosen": chosen, "observed": observed},
        "dialects": ["ca-1.36"],
        **environment,
    }
    return {
        **document,
        "date": "2026-11-24T01:00:00Z",
        "environment": {**document["environment"], **environment_fields},
    }


@pytest.fixture
def imitation(tmp_path):
    """Write a program that says what cluster-autoscaler says when it starts."""
    script = tmp_path / "cluster-autoscaler"
    script.write_text("#!/bin/sh\necho 'I1124 main.go:250] Cluster Autoscaler 1.36.1'\n", "utf-8")
    script.chmod(0o755)
    return autoscalers.choose(f"process:{script}", "fake")


@pytest.mark.parametrize(
    ("log", "release"),
    [
        ("I1124 1 main.go:250] Cluster Autoscaler 1.36.1\nF1124 no cluster", REAL),
        ("kueue-autoscaler 0.1.0\nerror: no cluster", "kueue-autoscaler v0.1.0"),
        ("my-autoscaler 1.0.0", "None"),
        ("", "None"),
    ],
    ids=["the real one", "ours", "another", "silent"],
)
def test_what_a_log_names(log, release):
    assert str(release_in(log)) == release


def test_ours_names_itself():
    assert str(ask_for_release([str(OURS)])) == f"kueue-autoscaler v{__version__}"


@pytest.mark.parametrize("text", ["reference", "none", "found", f"process:{OURS}"])
def test_what_plays_an_autoscaler_is_not_proven(text):
    with pytest.raises(Unproven, match="cluster-autoscaler"):
        autoscalers.choose(text, "kubeconfig:x").proof()


def test_an_imitation_is_not_proven(imitation):
    assert imitation.version() == REAL
    with pytest.raises(
        Unproven, match="not proven to be cluster-autoscaler: it was built from 'no Go program'"
    ):
        imitation.proof()


@pytest.mark.parametrize(
    ("chosen", "observed", "proven", "server"),
    [
        pytest.param("reference", f"kueue-autoscaler v{__version__}", {}, "fake", id="ours in this process"),
        pytest.param(
            "process", f"kueue-autoscaler v{__version__}", {}, "kueue-autoscaler", id="ours as a program"
        ),
        pytest.param("process", REAL, BUILT, REAL, id="a real one"),
    ],
)
def test_where_an_autoscaler_was_judged(chosen, observed, proven, server):
    found_stamps = stamps(report_on(chosen, observed, proven=proven))

    assert found_stamps == {
        ID: {
            server: Stamp(
                date="2026-11-24",
                revision=inventory()[ID].revision,
                outcome="passed",
                dialects="ca-1.36",
                beside=f"autoscaler {chosen} {observed}",
            )
        }
    }


@pytest.mark.parametrize(
    ("chosen", "observed"),
    [("process", REAL), ("process", ""), ("found", ""), ("none", "")],
    ids=["only says so", "says nothing", "in a cluster", "none"],
)
def test_what_nothing_proves_is_not_stamped(chosen, observed):
    with pytest.raises(UsageError, match="does not name the one that was judged"):
        stamps(report_on(chosen, observed))


def test_a_report_names_the_autoscaler():
    document = report([case(ID, dialect="ca-1.36")], profile="PROVISIONING-REQUEST").to_dict()

    assert document["environment"]["autoscaler"] == {
        "chosen": "reference",
        "observed": f"kueue-autoscaler v{__version__}",
    }
    assert document["implementation"]["subject"] == "autoscaler reference"
    assert "autoscaler" not in document["environment"].get("proven", {})


def test_a_report_about_kueue_names_none():
    assert "autoscaler" not in report().to_dict()["environment"]


def test_each_scenario_of_the_profile_has_a_stamp():
    judged = [
        name
        for name, scenario in inventory().items()
        if scenario.profile.judges_autoscaler and not scenario.unsupported
    ]

    assert [name for name in judged if "fake" not in shipped_stamps().get(name, {})] == []
