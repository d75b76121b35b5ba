"""Rules hold what no program comes to, and nothing else (N-04)."""

import pytest

from .arguing import by_rule
from .mutants import mutants, path_of

DEFAULT, INSTANT, INDEX = "the default", "no clock", "it names an index"


def reasons(module, holder, text):
    full = f"reference_impl.kueue.{module}"
    matching_mutants = [
        mutant
        for mutant in mutants(full, path_of(full).read_text("utf-8"))
        if mutant.function == holder
        and text in mutant.change.partition(" → ")[0]
        and mutant.operator
        in {"NumberReplacer", "ReplaceString", "ReplaceFalseWithTrue", "ReplaceTrueWithFalse"}
    ]
    assert matching_mutants
    return {by_rule(mutant) for mutant in matching_mutants}


@pytest.mark.parametrize(
    ("module", "holder", "text", "reason"),
    [
        ("queueing.heads", "Head", "cycle: int = 0", DEFAULT),
        ("quota.tree", "is_borrowing", "additional: int = 0", DEFAULT),
        ("quota.cluster_queue", "PreemptionPolicies", "within_cluster_queue: str", DEFAULT),
        ("workload.timeouts", "_one_more_attempt", "workload.requeue_at or 0", INSTANT),
        ("workload.triggers", "", 'BY_WAITING: Final = "workload/waiting"', INDEX),
    ],
    ids=["field", "parameter", "beside another of its name", "instant", "index"],
)
def test_what_nothing_comes_to_is_held(module, holder, text, reason):
    assert all(reason in given_reason for given_reason in reasons(module, holder, text))


@pytest.mark.parametrize(
    ("module", "holder", "text"),
    [
        ("workload.decision", "Decision", "requeue: bool = False"),
        ("workload.rules", "PodsReady", "timeout: float = 1800.0"),
        ("workload.workload_context", "ReservationState", "has_unissued_preemptions: bool = False"),
        ("workload.timeouts", "execution_left", 'get("accumulatedPastExecutionTimeSeconds") or 0'),
        ("workload.triggers", "", "VICTIMS: Final"),
        ("workload.conditions", "", "ADMITTED: Final"),
    ],
    ids=["left out", "made by a configuration", "made without it", "no instant", "value of an index", "read"],
)
def test_what_something_comes_to_is_not_held(module, holder, text):
    assert reasons(module, holder, text) == {""}
