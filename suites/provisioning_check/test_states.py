"""PRC: what the conditions of a request mean for the state and
the message of the check (A3, PA-073…PA-084, PD-10, PD-11).
"""

from kueue_conformance import always, cross, either, never, rows, scenario, table, within

ON, OFF, OPEN = True, False, "Unknown"
# Conditions in the order in which they are written, and the state that the check has then.
STATES = table(
    """
    case                              | conditions                                                        | state    | row
    nothing                           | -                                                                 | Pending  | PA-082
    accepted                          | Accepted                                                          | Pending  | PA-081
    not accepted                      | !Accepted                                                         | Pending  | PA-082
    accepted but not provided         | Accepted !Provisioned                                             | Pending  | PA-080
    accepted and open                 | Accepted ?Provisioned                                             | Pending  | PA-084
    not provided                      | !Provisioned                                                      | Pending  | PA-082
    provided                          | Accepted Provisioned                                              | Ready    | PA-079
    provided and never accepted       | Provisioned                                                       | Ready    | PA-079
    provided and no longer accepted   | !Accepted Provisioned                                             | Ready    | PA-079
    provided and not failed           | Accepted Provisioned !Failed !BookingExpired !CapacityRevoked     | Ready    | PA-084
    an unknown type                   | Accepted CapacityAvailable                                        | Pending  | PA-084
    failed                            | Accepted Failed                                                   | Retry    | PA-073
    failed and never accepted         | Failed                                                            | Retry    | PD-10
    perhaps failed                    | Accepted ?Failed                                                  | Pending  | PA-084
    provided and failed               | Provisioned Failed                                                | Retry    | PA-083
    expired                           | Accepted BookingExpired                                           | Retry    | PA-077
    provided and expired              | Provisioned BookingExpired                                        | Retry    | PA-077
    revoked                           | Accepted CapacityRevoked                                          | Rejected | PA-076
    provided and revoked              | Provisioned CapacityRevoked                                       | Rejected | PA-076
    revoked and expired               | BookingExpired CapacityRevoked                                    | Rejected | PD-10
    everything                        | Accepted Provisioned BookingExpired CapacityRevoked Failed        | Retry    | PD-10
    """
)


def conditions(text):
    """Return the conditions that a text lists: `!` for false, `?` for Unknown."""
    words = {"!": OFF, "?": OPEN}
    return {word.lstrip("!?"): words.get(word[0], ON) for word in text.split()}


LESS = ("not provided", "nothing")


def says_less(autoscaler, request, example):
    """Have a request that was provided say that it is not, or nothing any more."""
    if example == "nothing":
        autoscaler.remove_conditions(request)
    else:
        autoscaler.report_shortage(request, "not any more")


@scenario(
    "PRC-080",
    "the conditions of a request decide the state of the check",
    requirement=("provisioning-check#states", "aep#conditions"),
    shows=f"{STATES.shows} TB-25 TB-34 TB-37",
    since="0.19",
    cases=STATES.cases,
    evidence=STATES.evidence,
    clauses={"a": "the state of the table"},
)
def test_states(kueue_cluster, provisioning, autoscaler, clock, case):
    row = STATES[case]
    queue = provisioning.make_queue(kueue_cluster.make_check(), wait=clock.hold)
    check = queue.checks[0]
    workload = provisioning.submit_until_requested(queue)

    autoscaler.set_conditions(workload.request(check), "because", **conditions(row.conditions))

    within(
        "react",
        lambda: workload.has_states(row.state, check) or workload.had_verdict(check, row.state),
        clause="a",
    )
    always(
        lambda: workload.had_verdict(check, *{"Ready", "Retry", "Rejected"} - {row.state}).negate(),
        clause="a",
    )


@scenario(
    "PRC-081",
    "the autoscaler's estimate of its time is reported in the check's message as it changes",
    requirement="provisioning-check#eta",
    shows="PA-080 TB-32 TB-104 SC-144 PA-171",
    level="should",
    since="0.19",
    clauses={"a": "each text", "b": "while it waits", "c": "and the last one when it is Ready"},
)
def test_eta(provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)

    for text in ("ready in 10 minutes", "ready in 5 minutes"):
        autoscaler.report_shortage(workload.request(check), text)
        within("react", lambda message=text: provisioning.shows_message(workload, check, message), clause="a")
        always(lambda: workload.has_states("Pending") and workload.is_prechecked(), clause="b")
    autoscaler.provision(workload.request(check), "there it is")

    within(
        "react",
        lambda: workload.has_states("Ready") and provisioning.shows_message(workload, check, "there it is"),
        clause="c",
    )


@scenario(
    "PRC-082",
    "retries and failures of a request are reported with the recorded texts",
    requirement="provisioning-check#messages",
    shows="PA-073 PA-075 PA-076 PA-077",
    level="may",
    since="0.19",
    cases=rows(
        "condition limit text",
        ("Failed", 3, "Retrying after failure: no room"),
        ("BookingExpired", 3, "Retrying after booking expired: no room"),
        ("Failed", 0, "no room"),
        ("BookingExpired", 0, "no room"),
        ("CapacityRevoked", 3, "no room"),
    ),
    clauses={"a": "the message of the check"},
)
def test_words(provisioning, autoscaler, clock, condition, limit, text):
    queue = provisioning.make_queue(limit=limit, wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)

    autoscaler.set_conditions(workload.request(queue.checks[0]), "no room", **{condition: ON})

    within("react", lambda: workload.had_entry_message(queue.checks[0], text), clause="a")


@scenario(
    "PRC-083",
    "a message of the greatest length does not hold the verdict back",
    requirement=("provisioning-check#states", "provisioning-check#odd-input"),
    shows="PA-073 PA-124 PA-170",
    since="0.19",
    cases=rows("condition state", ("Provisioned", "Ready"), ("CapacityRevoked", "Rejected")),
    clauses={"a": "the verdict"},
)
def test_longest_message(kueue_cluster, provisioning, autoscaler, condition, state):
    queue = provisioning.make_queue(kueue_cluster.make_check())
    workload = provisioning.submit_until_requested(queue)

    autoscaler.set_conditions(workload.request(queue.checks[0]), "m" * 32768, **{condition: ON})

    within("react", lambda: workload.had_verdict(queue.checks[0], state), clause="a")


@scenario(
    "PRC-084",
    "while another check is Pending, the state of the check follows the conditions of the request",
    requirement="provisioning-check#states",
    shows="PA-079 PA-080 PD-10",
    since="0.19",
    clauses={
        "a": "Ready",
        "b": "Pending when it is not provided any more",
        "c": "Ready again",
        "d": "never anything else",
    },
)
def test_comes_and_goes(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(kueue_cluster.make_check())
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    autoscaler.provision(request)
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    autoscaler.report_shortage(request, "not quite")
    within("react", lambda: workload.has_states("Pending", check), clause="b")
    autoscaler.provision(request)

    within("react", lambda: workload.has_states("Ready", check), clause="c")
    always(lambda: workload.had_states(check, "Pending", "Ready", "Pending", "Ready"), clause="d")


@scenario(
    "PRC-085",
    "a request that loses its conditions leaves the check Pending, without an old message",
    requirement="provisioning-check#states",
    shows="PA-082 PD-10 TB-43",
    level="should",
    since="0.19",
    clauses={"a": "Pending", "b": "no message"},
)
def test_conditions_are_withdrawn(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue(kueue_cluster.make_check())
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(check), "there it is")
    within("react", lambda: workload.has_states("Ready", check))

    autoscaler.remove_conditions(workload.request(check))

    within("react", lambda: workload.has_states("Pending", check), clause="a")
    within("react", lambda: workload.has_entry_message(check, ""), clause="b")


@scenario(
    "PRC-086",
    "a running Workload continues when the autoscaler no longer reports its capacity as provided",
    requirement="provisioning-check#running",
    shows="PA-080 PA-082 RG-K40 PD-11",
    since="0.19",
    cases=cross(present_state=LESS),
    clauses={"a": "it stays admitted"},
)
def test_running_and_not_provided(provisioning, autoscaler, present_state):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    says_less(autoscaler, request, present_state)

    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="a")


@scenario(
    "PRC-087",
    "the check of a running Workload is Pending when its capacity is no longer reported, or stays Ready",
    requirement="provisioning-check#quirks",
    shows="PA-080 PA-082 RG-K40 PD-11",
    level="may",
    since="0.19",
    cases=cross(present_state=LESS),
    clauses={"a": "either of them"},
)
def test_check_of_a_running_workload(provisioning, autoscaler, clock, present_state):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    says_less(autoscaler, request, present_state)
    clock.advance_budget("react")

    either(
        "react",
        {
            "undecided": lambda: workload.has_states("Pending"),
            "as before": lambda: workload.has_states("Ready"),
        },
        clause="a",
    )


@scenario(
    "PRC-088",
    "a request that fails while its Workload runs evicts the Workload, or has no effect",
    requirement="provisioning-check#quirks",
    shows="PA-083 RG-K30 PD-11",
    level="may",
    since="0.19",
    clauses={"a": "either of them"},
)
def test_failure_of_a_running_workload(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    autoscaler.reject(request)
    clock.advance_budget("react")

    either(
        "requeue",
        {
            "sent back": workload.was_evicted_by_a_check,
            "it runs on": lambda: workload.was_ever("Evicted").negate(),
        },
        clause="a",
    )


@scenario(
    "PRC-089",
    "conditions in any order lead to the state that the last of them stands for",
    requirement="provisioning-check#states",
    shows="PA-079 PA-081 RG-K23 PD-10",
    since="0.19",
    cases=cross(first=("Provisioned", "Accepted")),
    clauses={"a": "Ready once it is provided", "b": "no other verdict"},
)
def test_out_of_order(provisioning, autoscaler, first):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    second = {"Provisioned": "Accepted", "Accepted": "Provisioned"}[first]

    autoscaler.set_conditions(request, **{first: ON})
    autoscaler.set_conditions(request, **{second: ON})

    within("admit", workload.is_admitted, clause="a")
    never(lambda: workload.had_verdict(check, "Retry", "Rejected"), clause="b")
