"""The statement of the model about the weighted shares of fair sharing."""

import pytest

from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.shares import shares
from kueue_conformance.scenarios.dialect import known_dialects

from .test_plane_model import cohort, queue, snapshot, workload


def of_weight(stored, weight, share):
    spec = {**stored["spec"], "fairSharing": {"weight": weight}}
    metadata = {**stored["metadata"], "generation": 1, "uid": "u"}
    return {**stored, "metadata": metadata, "spec": spec, "status": {"fairSharing": {"weightedShare": share}}}


def differing(weight, share, cpu="3", is_fair=True, **fields):
    objects = {
        "ClusterQueue": [of_weight(queue("q", "2", "c"), weight, share)],
        "Cohort": [of_weight(cohort("c", "6"), "1", 0)],
    }
    after = snapshot(Workload=[workload("w", cpu, "QuotaReserved")], **objects)
    state = State(after, snapshot(**objects), is_fair=is_fair, dialect=known_dialects()["v0.20"], **fields)
    return [item.expected for item in shares(state)]


@pytest.mark.parametrize(
    ("weight", "cpu", "share"),
    [
        # One CPU of eight is borrowed.
        ("1", "3", 125),
        ("2", "3", 63),
        ("500m", "3", 250),
        ("0", "3", 2**63 - 1),
        ("0", "2", 0),
    ],
)
def test_a_share_is_what_is_borrowed_of_what_the_parent_lends_by_the_weight(weight, cpu, share):
    assert differing(weight, share, cpu) == []
    assert differing(weight, share + 7, cpu) == [f"fairSharing.weightedShare is {share} (Q-272)"]


def test_shares_are_judged_with_fair_sharing_alone():
    assert differing("1", 7, is_fair=False) == []
