"""Capabilities: declared, exercised, observed; a claim that was not shown is named, wherever the report is
read (H-08, H-09).
"""

import pytest

from kueue_conformance.history.story import SUBJECT, Change, Request
from kueue_conformance.report.afterwards.check import problems
from kueue_conformance.report.formats import markdown
from kueue_conformance.report.page import html
from kueue_conformance.report.results.abilities import abilities, mismatches
from kueue_conformance.rules import Story
from kueue_conformance.rules.check_controller.abilities import ABILITIES, observe_capabilities
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.scenarios.scenario import Scenario

from .results import case, report

RETRY = Capability.RETRY
RECORDS = {
    f"CHK-00{number}": Scenario(
        id=f"CHK-00{number}", title="t", requirement=(), shows=(), capabilities=(RETRY,)
    )
    for number in (1, 2)
}
P, F, X, U = Outcome.PASSED, Outcome.FAILED, Outcome.EXCLUDED, Outcome.UNSUPPORTED


@pytest.mark.parametrize(
    ("declared", "outcomes", "observed", "row"),
    [
        pytest.param(["Retry"], [P, P], ["Retry"], (True, 2, True, "shown", ""), id="shown"),
        pytest.param(
            ["Retry"],
            [P, X],
            ["Retry"],
            (True, 1, True, "claimed-not-shown", "left out: CHK-002"),
            id="one excluded",
        ),
        pytest.param(
            ["Retry"],
            [U, U],
            [],
            (True, 0, False, "claimed-not-shown", "no scenario of it ran"),
            id="never run",
        ),
        pytest.param(
            ["Retry"],
            [P, P],
            [],
            (True, 2, False, "claimed-not-shown", "nothing of it was seen"),
            id="never seen",
        ),
        pytest.param(
            ["Retry"], [P, F], ["Retry"], (True, 2, True, "failed", "did not pass: CHK-002"), id="failed"
        ),
        pytest.param(
            [],
            [U, U],
            ["Retry"],
            (False, 0, True, "observed-not-claimed", "the subject did it"),
            id="seen without a claim",
        ),
        pytest.param([], [U, U], [], (False, 0, False, "not-claimed", ""), id="not claimed"),
        pytest.param(None, [P, P], ["Retry"], (None, 2, True, "shown", ""), id="nothing is said"),
        pytest.param(
            None, [P, X], ["Retry"], (None, 1, True, "shown", ""), id="excluded and nothing is said"
        ),
        pytest.param(["Retry"], [P, P], None, (True, 2, None, "shown", ""), id="nothing can be seen"),
        pytest.param(
            ["Retry"],
            [U, U],
            None,
            (True, 0, None, "claimed-not-shown", "no scenario of it ran"),
            id="nothing can be seen or ran",
        ),
        pytest.param(None, [X, X], [], (None, 0, False, "not-claimed", ""), id="nothing is said or seen"),
    ],
)
def test_three_columns_make_a_state(declared, outcomes, observed, row):
    rows = abilities(dict(zip(RECORDS, outcomes, strict=True)), RECORDS, declared, observed)

    (row_of_retry,) = (ability for ability in rows if ability.name == "Retry")
    assert (
        row_of_retry.declared,
        row_of_retry.exercised,
        row_of_retry.observed,
        row_of_retry.state,
        row_of_retry.why,
    ) == row


def workload(*entries, admitted=False):
    conditions = [{"type": "Admitted", "status": "True"}] if admitted else []
    return {"spec": {}, "status": {"admissionChecks": list(entries), "conditions": conditions}}


def entry(state, name="budget", **fields):
    return {"name": name, "state": state, **fields}


def check(name, **spec):
    manifest = {"spec": {"controllerName": "acme.io/budget", **spec}}
    return change("AdmissionCheck", name, None, manifest, actor="user")


def change(kind, name, before, after, actor=SUBJECT):
    return Change(
        revision=1,
        at=0.0,
        actor=actor,
        verb="update",
        kind=kind,
        namespace="",
        name=name,
        before=before,
        after=after,
    )


def story(*changes, requests=()):
    return Story([check("budget"), check("other"), *changes], [], "acme.io/budget", requests)


def story_of(before, after, actor=SUBJECT):
    return story(change("Workload", "w", before, after, actor))


def story_of_request(verb, resource, body=b"", code=201):
    return story(requests=[Request(at=0.0, verb=verb, resource=resource, code=code, body=body)])


def unusable(active):
    return {
        "spec": {"parameters": {"name": "x"}},
        "status": {"conditions": [{"type": "Active", "status": active}]},
    }


PENDING = workload(entry("Pending"))
STORIES = {
    "ready": (story_of(PENDING, workload(entry("Ready"))), {"Ready"}),
    "retry with a delay": (story_of(PENDING, workload(entry("Retry", requeueAfterSeconds=5))), {"Retry", "RetryDelay"}),
    "rejected": (story_of(PENDING, workload(entry("Rejected"))), {"Rejected"}),
    "revoked": (story_of(workload(entry("Ready"), admitted=True), workload(entry("Retry"), admitted=True)), {"Retry", "Revoke"}),
    "updates of pods": (story_of(PENDING, workload(entry("Ready", podSetUpdates=[{"name": "main"}]))), {"Ready", "PodSetUpdates"}),
    "two checks": (story_of(workload(entry("Ready"), entry("Pending", "other")), workload(entry("Ready"), entry("Ready", "other"))), {"Ready", "ManyChecks"}),
    "another controller's entry": (story_of(workload(entry("Pending", "theirs")), workload(entry("Ready", "theirs"))), set()),
    "another client's write": (story_of(PENDING, workload(entry("Ready")), "kueue"), set()),
"parameters": (story(change("AdmissionCheck", "budget", {"spec": {}}, unusable("False"))), {"Parameters"}),
    "parameters that were not read": (story(change("AdmissionCheck", "budget", {"spec": {}}, unusable("True"))), set()),
    "outside work": (story_of_request("create", "configmaps", b'{"metadata": {"ownerReferences": []}}'), {"Cleanup"}),
    "outside work ended": (story_of_request("delete", "configmaps", code=200), {"Cleanup"}),
    "outside work refused": (story_of_request("delete", "configmaps", code=403), set()),
    "a lease": (story_of_request("update", "leases", code=200), {"LeaderElection"}),
    "provisioning": (story_of_request("create", "provisioningrequests"), {"Provisioning"}),
}  # fmt: skip


@pytest.mark.parametrize(("judged_story", "shown"), STORIES.values(), ids=STORIES)
def test_what_the_subject_wrote_shows_what_it_can(judged_story, shown):
    assert observe_capabilities(judged_story) == shown


def test_every_capability_but_restart_can_be_seen():
    assert set(Capability) - set(ABILITIES) == {Capability.RESTART}


SUBJECT_FILE = """
apiVersion: kueue-conformance.dev/v1
kind: Subject
connect: "external:"
controllerName: acme.io/budget
capabilities: [Ready, Retry]
"""


@pytest.fixture
def report_with_claim(tmp_path):
    """The report of a run in which the only scenario of a
    claimed capability was left out: gateway-api #3651.
    """
    file = tmp_path / "subject.yaml"
    file.write_text(SUBJECT_FILE)
    results = [
        case("CHK-011", observed=("Ready",), judged=True),
        case("CHK-025", outcome=Outcome.EXCLUDED, code="--exclude"),
    ]
    return report(results, **{"subject-file": str(file)})


def test_a_claim_whose_scenario_was_left_out_is_not_shown(report_with_claim):
    rows = report_with_claim.to_dict()["profiles"][0]["extended"]["capabilities"]

    assert rows[1] == {
        "name": "Retry",
        "declared": True,
        "exercised": 0,
        "observed": False,
        "state": "claimed-not-shown",
        "why": "left out: CHK-025",
    }


def test_a_mismatch_is_seen_wherever_the_report_is_read(report_with_claim):
    state_text = "claimed-not-shown: left out: CHK-025"

    assert "capability Retry: claimed-not-shown (left out: CHK-025)" in mismatches(
        report_with_claim.profiles[0].abilities
    )
    assert f"| Retry | yes | 0 | no | {state_text} |" in markdown.render(report_with_claim)
    assert (
        '<tr id="capability-Retry"><td data-label="capability">Retry</td><td data-label="declared">yes</td>'
        '<td data-label="scenarios run">0</td><td data-label="observed">no</td>'
        f'<td data-label="state" class="partial">{state_text}</td></tr>' in html.render(report_with_claim)
    )


def test_where_nobody_sees_who_writes_a_report_holds_together(tmp_path):
    file = tmp_path / "subject.yaml"
    file.write_text(SUBJECT_FILE)
    document = report([case("CHK-011"), case("CHK-025")], **{"subject-file": str(file)}).to_dict()

    assert {row["observed"] for row in document["profiles"][0]["extended"]["capabilities"]} == {None}
    assert [problem for problem in problems(document) if "capability" in problem] == []


def test_a_report_whose_columns_do_not_fit_is_found_out(report_with_claim):
    document = report_with_claim.to_dict()
    document["profiles"][0]["extended"]["capabilities"][1]["state"] = "shown"

    assert any("capability Retry says" in problem for problem in problems(document))


LICENSES = """
apiVersion: kueue-conformance.dev/v1
kind: Subject
connect: "external:"
controllerName: acme.io/budget
capabilities: [Ready, Cleanup]
effects: {claims: true}
"""


@pytest.mark.parametrize(
    ("outcome", "state"), [(Outcome.PASSED, "shown"), (Outcome.FAILED, "failed")], ids=["released", "held"]
)
def test_work_outside_of_the_cluster_is_shown_by_its_scenarios(tmp_path, outcome, state):
    file = tmp_path / "subject.yaml"
    file.write_text(LICENSES)
    results = [
        case("CHK-011", observed=("Ready",), judged=True),
        case("CHK-091", outcome=outcome, judged=True),
    ]
    document = report(results, **{"subject-file": str(file)}).to_dict()

    rows = {row["name"]: row for row in document["profiles"][0]["extended"]["capabilities"]}
    assert (rows["Cleanup"]["observed"], rows["Cleanup"]["state"]) == (None, state)
    assert rows["Ready"]["observed"] is True
    assert [problem for problem in problems(document) if "capability" in problem] == []
