"""ADM: checks whose controllers cannot be used together
on one ClusterQueue (AC-406, AC-416, AC-417, AC-418).
"""

import pytest

from kueue_conformance import always, rows, scenario, within

ELSEWHERE, HERE = "kueue.x-k8s.io/multikueue", "kueue.x-k8s.io/provisioning-request"
CONTROLLERS = {
    "two": (ELSEWHERE, ELSEWHERE),
    "for-one-flavor": (ELSEWHERE,),
    "with-provisioning": (ELSEWHERE, HERE),
}
NOBODY_ANSWERS_FOR_THEM = ("virtual time",)
"""Kueue's own controllers would say that these checks are not Active."""


@pytest.fixture
def at_odds(kueue_cluster):
    """Return a function that makes a ClusterQueue of two
    flavors with these checks, which cannot be used so.
    """

    def make_queue(example):
        flavors = [kueue_cluster.make_flavor(), kueue_cluster.make_flavor()]
        checks = [kueue_cluster.make_check(controller=controller) for controller in CONTROLLERS[example]]
        on = {checks[0].name: flavors[:1]} if example == "for-one-flavor" else {}
        return kueue_cluster.make_queue(checks, flavors=flavors, on=on)

    return make_queue


@scenario(
    "ADM-102",
    "a ClusterQueue whose checks cannot be used together is inactive, with the reason",
    requirement="docs-2024#missing-or-inactive-check",
    shows="SC-102 AC-406 AC-416 AC-417 AC-418",
    since="0.19",
    level="should",
    revision=2,
    needs=NOBODY_ANSWERS_FOR_THEM,
    cases=rows(
        "example reason",
        ("two", "MultipleMultiKueueAdmissionChecks"),
        ("for-one-flavor", "MultiKueueAdmissionCheckAppliedPerFlavor"),
        ("with-provisioning", "MultiKueueWithProvisioningRequest"),
    ),
    clauses={
        "a": "inactive for this reason",
        "b": "nothing is reserved",
        "c": "it is active with one check for all flavors",
    },
)
def test_checks_at_odds(at_odds, example, reason):
    queue = at_odds(example)

    workload = queue.submit()

    within("settle", lambda: queue.is_inactive(reason), clause="a")
    always(lambda: queue.is_inactive(reason) and workload.is_suspended(), clause="b")
    queue.set_checks(queue.checks[0])
    within("settle", queue.is_active, clause="c")
    within("reserve", workload.is_prechecked, clause="c")


@scenario(
    "ADM-452",
    "a ClusterQueue whose checks cannot be used together names them",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-416 AC-417 AC-418",
    since="0.19",
    level="may",
    needs=NOBODY_ANSWERS_FOR_THEM,
    cases=rows(
        "example text",
        ("two", "Cannot use multiple MultiKueue AdmissionChecks on the same ClusterQueue, found: {},{}"),
        ("for-one-flavor", "Cannot specify MultiKueue AdmissionCheck per flavor, found: {}"),
        (
            "with-provisioning",
            "Cannot use both MultiKueue and ProvisioningRequest AdmissionChecks together, found: {}, {}",
        ),
    ),
    clauses={"a": "the message"},
)
def test_texts_of_checks_at_odds(at_odds, example, text):
    queue = at_odds(example)

    expected_text = text.format(*(check.name for check in queue.checks))
    within("settle", lambda: queue.shows_message(f"Can't admit new workloads: {expected_text}."), clause="a")
