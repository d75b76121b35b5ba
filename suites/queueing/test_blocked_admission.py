"""QUE: admissions that wait until the pods of all that was
admitted before are ready (KEP-349; Q-231, AC-255, AC-318).
"""

from kueue_conformance import always, rows, scenario, within

BLOCKED = "blocked admission"
IN_TIME = 1800


@scenario(
    "QUE-266",
    "with waitForPodsReady no Workload of any queue gets quota before the pods of an admitted one are ready, or it is gone",
    requirement="kueue-api#pods-in-time",
    shows="S-095 Q-231 AC-255 AC-318",
    since="0.19",
    also=("kep993",),
    without_gates=("DisableWaitForPodsReady",),
    needs=(BLOCKED, "virtual time"),
    cases=rows("ends", ("ready",), ("finished",), ("not in time",)),
    clauses={"a": "it waits in another queue", "b": "it reports why", "c": "it is admitted then"},
)
def test_waits_for_pods_of_others(kueue_cluster, clock, ends):
    queues = kueue_cluster.make_topology("one 2, other 2")
    (first,) = queues.submit_in_turn("one: first(0)1")
    second = queues.submit("other: second(0)1")

    within("settle", lambda: second.has_message_containing("QuotaReserved", "PodsReady"), clause="b")
    always(second.is_suspended, clause="a")
    {
        "ready": lambda: first.set_pods_ready(True, "Started"),
        "finished": lambda: queues.delete_workloads("first"),
        "not in time": lambda: clock.advance(IN_TIME),
    }[ends]()

    within("admit", second.is_admitted, clause="c")


@scenario(
    "QUE-267",
    "with waitForPodsReady one of several fitting Workloads is admitted, and the others wait for its pods",
    requirement="kueue-api#pods-in-time",
    shows="S-095 Q-231",
    since="0.19",
    also=("kep993",),
    without_gates=("DisableWaitForPodsReady",),
    needs=(BLOCKED, "virtual time"),
    clauses={
        "a": "the more important of two is admitted, the other waits",
        "b": "it is admitted when the pods of the first are ready",
    },
)
def test_one_at_a_time(kueue_cluster):
    queues = kueue_cluster.make_topology("all { one 2, other 2 }")
    (full,) = queues.submit_in_turn("one: full(9)4")
    full.set_pods_ready(True, "Started")
    first, second = queues.submit_all("one: first(5)2; other: second(0)2")
    within("settle", lambda: queues.has_tried("first", "second"))

    queues.delete_workloads("full")

    within("admit", first.is_admitted, clause="a")
    always(second.is_suspended, clause="a")
    first.set_pods_ready(True, "Started")
    within("admit", second.is_admitted, clause="b")


@scenario(
    "QUE-333",
    "the messages of waitForPodsReady have the recorded texts",
    requirement="queueing#messages",
    shows="AC-255 Q-231",
    since="0.19",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=(BLOCKED, "virtual time"),
    clauses={"a": "the condition has it"},
)
def test_text_of_blocked_admission(kueue_cluster):
    queues = kueue_cluster.make_topology("one 2, other 2")
    queues.submit_in_turn("one: first(0)1")

    second = queues.submit("other: second(0)1")

    message = "waiting for all admitted workloads to be in PodsReady condition"
    within("settle", lambda: second.has_message("QuotaReserved", message), clause="a")
