"""ADM: more checks than most queues have (AC-285, AC-287, AC-291, AC-357)."""

from kueue_conformance import always, pairwise, scenario, within

POSITIONS = {"first": 0, "fourth": 3, "last": -1}


@scenario(
    "ADM-722",
    "each of many checks holds admission back, and is heard",
    requirement=("kep-993#every-check-required", "kep-993#retry-or-reject"),
    shows="AC-285 AC-287 AC-291 AC-357",
    since="0.9",
    cases=pairwise(number=(4, 8), position=tuple(POSITIONS), verdict=("Ready", "Retry", "Rejected")),
    clauses={
        "a": "all are listed, and the Workload is not admitted while one is Pending",
        "b": "the verdict of that one decides",
    },
)
def test_each_of_many_checks(make_queue, number, position, verdict):
    queue = make_queue(checks=number)
    workload = queue.submit_until("prechecked")
    in_order = sorted(queue.checks, key=lambda check: check.name)
    decisive = in_order[POSITIONS[position]]
    [check.answer(workload, "Ready") for check in in_order if check is not decisive]
    always(lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")

    decisive.answer(workload, verdict)

    decided = {
        "Ready": workload.is_admitted,
        "Retry": lambda: workload.was_released() and workload.was_evicted_by_a_check(),
        "Rejected": workload.was_rejected_by_a_check,
    }[verdict]
    within("evict", decided, clause="b")
