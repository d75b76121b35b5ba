"""What a subject that does nothing is told: by how far it came (H-03)."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
import yaml

from kueue_conformance.base.resources import example, example_integration
from kueue_conformance.history.story import Request
from kueue_conformance.subject.declaration import declare
from kueue_conformance.subject.hints import how_far, of_silence


def request(verb, resource, code=200, message=""):
    return Request(at=0.0, verb=verb, resource=resource, code=code, message=message)


WATCH = request("watch", "admissionchecks")
OLD = Request(
    at=0.0, verb="list", group="kueue.x-k8s.io", version="v1alpha1", resource="admissionchecks", code=404
)
BOUND = (
    "A controller that is bound to the name of one AdmissionCheck needs `checkName: {}` in its subject file."
)
ITS_OWN = Request(at=0.0, verb="get", resource="admissionchecks", name="fabric-ready", code=404)
SELECTED = Request(
    at=0.0,
    verb="watch",
    resource="admissionchecks",
    code=200,
    query={"fieldSelector": "metadata.name=fabric-ready"},
)
MARKS_NONE = "One that marks no check Active is judged with `start: {ready: {active: false}}`."
SERVED = ["v1beta2", "v1beta1"]
WAYS = {
    "nothing": ([], "it sent no request to the API server: does it use the file that KUBECONFIG names?"),
    "refused": (
        [request("list", "admissionchecks", 403, "forbidden")],
        "the API server refused what it did: list admissionchecks (HTTP 403): forbidden",
    ),
    "other kinds": (
        [request("list", "workloads")],
        (
            "it reads no AdmissionChecks: does it list and watch kueue.x-k8s.io/v1beta2 admissionchecks?"
            f" {BOUND.format('NAME')} {MARKS_NONE}"
        ),
    ),
    "a version that is not served": (
        [OLD],
        "it speaks kueue.x-k8s.io/v1alpha1, which is not served: there are v1beta2 and v1beta1",
    ),
    "reads": (
        [WATCH],
        (
            "it reads AdmissionChecks and sets no Active condition: does it act for 'acme.io/budget', the name in KUEUE_CONFORMANCE_CONTROLLER_NAME?"
            f" {BOUND.format('NAME')} {MARKS_NONE}"
        ),
    ),
    "reads once": (
        [request("list", "admissionchecks")],
        "it listed AdmissionChecks once, and neither watches them nor lists them again: does its watch begin, or does its client wait for an upgrade of the connection?",
    ),
    "polls": (
        [request("list", "admissionchecks")] * 2,
        (
            "it reads AdmissionChecks and sets no Active condition: does it act for 'acme.io/budget', the name in KUEUE_CONFORMANCE_CONTROLLER_NAME?"
            f" {BOUND.format('NAME')} {MARKS_NONE}"
        ),
    ),
    "a watch that is refused": (
        [request("list", "admissionchecks"), *[request("watch", "admissionchecks", 403, "no upgrade")] * 3],
        "the API server refused what it did: watch admissionchecks (HTTP 403): no upgrade (3 times)",
    ),
    "one check that is not there": (
        [WATCH, ITS_OWN],
        f"it asks for AdmissionCheck 'fabric-ready', which is not there. {BOUND.format('fabric-ready')}",
    ),
    "one check alone": (
        [SELECTED],
        f"it asks for AdmissionCheck 'fabric-ready', which is not there. {BOUND.format('fabric-ready')}",
    ),
    "writes": (
        [WATCH, request("update", "admissionchecks")],
        "it writes AdmissionChecks and Active did not become True: does it write to the status subresource?",
    ),
    "conflicts are no refusal": (
        [WATCH, request("update", "admissionchecks", 409)],
        "it writes AdmissionChecks and Active did not become True: does it write to the status subresource?",
    ),
}


@pytest.mark.parametrize(("requests", "hint"), WAYS.values(), ids=WAYS)
def test_the_hint_says_what_to_look_at(requests, hint):
    recorder = SimpleNamespace(knows_users=True, requests=lambda: requests)

    assert how_far(recorder, "acme.io/budget", SERVED) == hint


def test_a_version_of_older_releases_is_named_with_what_judges_it():
    """KV-31."""
    spoken = replace(OLD, version="v1beta1")
    recorder = SimpleNamespace(knows_users=True, requests=lambda: [spoken])

    assert how_far(recorder, "acme.io/budget", ["v1beta2"]) == (
        "it speaks kueue.x-k8s.io/v1beta1, which is not served: there is v1beta2. "
        "Kueue 0.20 does not serve v1beta1 any more: `--dialect v0.19` judges what speaks it"
    )


def test_where_its_name_is_declared_the_hint_is_about_something_else():
    recorder = SimpleNamespace(knows_users=True, requests=lambda: [ITS_OWN])

    assert "checkName" not in how_far(recorder, "acme.io/budget", SERVED, "fabric-ready")


def test_where_requests_are_not_seen_the_hint_is_general():
    recorder = SimpleNamespace(knows_users=False, requests=list)

    assert (
        how_far(recorder, "acme.io/budget", SERVED)
        == "does it read KUBECONFIG, and is --controller-name the name it acts for?"
    )


ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads-workloads}
rules:
- {apiGroups: [kueue.x-k8s.io], resources: [admissionchecks, workloads], verbs: [get, list, watch]}
- {apiGroups: [kueue.x-k8s.io], resources: [admissionchecks/status], verbs: [get, patch, update]}
"""


@pytest.mark.slow
def test_a_refused_request_heads_the_card_of_a_failure(tmp_path):
    subject = yaml.safe_load((example() / "subject.yaml").read_text("utf-8"))
    subject |= {"connect": f"process:python {example() / 'controller.py'}", "rbac": "role.yaml"}
    (tmp_path / "role.yaml").write_text(ROLE)
    (tmp_path / "subject.yaml").write_text(yaml.safe_dump(subject))
    words = ("run", "CHK-014", "--subject-file", "subject.yaml", "-n0", "--timeout-scale", "0.1")

    ended = subprocess.run(
        [sys.executable, "-m", "kueue_conformance", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    head, _, rest = ended.stdout.partition("  expected ")
    assert "  refused    update workloads/status" in head, ended.stdout
    assert "(HTTP 403)" in head
    assert "rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads/status], verbs: [update]}]" in head
    assert "rules: [{apiGroups" not in rest.partition("CHK-")[0]


@pytest.mark.parametrize(("folder", "is_told"), [(example(), True), (example_integration(), False)])
def test_only_a_check_controller_is_told_what_it_may_lack_without_a_verdict(folder, is_told):
    assert ("checkName" in of_silence(declare("", str(folder / "subject.yaml"), ""))) is is_told
