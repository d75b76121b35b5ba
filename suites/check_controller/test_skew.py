"""CHK: the API server's clock is half a minute away from the controller's (CC-084)."""

from kueue_conformance import Capability, always, rows, scenario, within

SKEW = ("faults", "clock skew")
KUEUE = ("scripted control plane",)
"""One that acts at once takes the entry's Retry back before anybody has looked at it."""
HALF_A_MINUTE = 30
DELAY = 7
DIRECTIONS = rows("server", ("ahead",), ("behind",))


def seconds(server):
    """Return how far the server's clock is ahead."""
    return HALF_A_MINUTE if server == "ahead" else -HALF_A_MINUTE


@scenario(
    "CHK-170",
    "a server whose clock is off gets its verdicts all the same",
    level="should",
    requirement="controllers#clock-skew",
    shows="CC-084",
    needs=SKEW,
    cases=DIRECTIONS,
    serial=True,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is given", "b": "once", "c": "and again for a new reservation"},
)
def test_verdict_by_another_clock(make_queue, subject, kueue, faults, server):
    faults.skew(seconds(server))
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="b")

    subject.set_answer("Pending")
    kueue.evict_and_release(workload)
    kueue.reserve(workload)
    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-171",
    "a retry delay is written as it was decided, whatever the server's clock is",
    level="should",
    requirement="controllers#clock-skew",
    shows="CC-084 CC-034",
    since="0.15",
    needs=(*SKEW, *KUEUE),
    cases=DIRECTIONS,
    serial=True,
    capabilities=(Capability.RETRY, Capability.RETRY_DELAY),
    clauses={"a": "Retry is given", "b": "with the delay of the outside system"},
)
def test_delay_by_another_clock(make_queue, subject, kueue, faults, server):
    faults.skew(seconds(server))
    check = subject.make_check()
    subject.set_answer("Retry", requeueAfterSeconds=DELAY)

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Retry", check), clause="a")
    always(lambda: workload.entry_of(check).get("requeueAfterSeconds") == DELAY, clause="b")
