"""CHK: what the Active condition of a check tells, and what its parameters have to do with it (KEP-993,
249-250; documentation, "Usage").
"""

from kueue_conformance import Capability, always, never, rows, scenario, within

KUEUE = ("scripted control plane",)
NAMES = ("check names",)
PARAMETERS = (Capability.PARAMETERS,)
PARAMETERS_ROW = ("kep-993#controller-watches-parameters", "check-contract#usable-parameters")


@scenario(
    "CHK-046",
    "the Active condition does not go back and forth",
    requirement=("docs-2024#controller-marks-active", "check-contract#steady-condition"),
    shows="CC-015 CC-072 AC-405",
    clauses={"a": "the check becomes Active", "b": "it stays so whatever else is written"},
)
def test_active_does_not_flap(make_queue, subject, kueue):
    check = subject.make_check()
    within("react", check.is_active, clause="a")

    check.touch()
    workload = kueue.precheck(make_queue([check]))
    workload.touch()
    check.touch()

    always(lambda: check.has_flapped().negate(), clause="b")


@scenario(
    "CHK-047",
    "the time of the Active condition moves with its status only",
    requirement="check-contract#times",
    shows="CC-017",
    level="should",
    clauses={
        "a": "the check becomes Active",
        "b": "after a change of its spec its time moves with its status only",
    },
    revision=2,
)
def test_time_of_active_moves_with_the_status(clock, subject):
    check = subject.make_check()
    within("react", check.is_active, clause="a")

    clock.tick()
    subject.change_parameters_of(check)

    always(check.has_moved_active_time_with_status, clause="b")


@scenario(
    "CHK-048",
    "unusual checks do not keep others from being served",
    requirement="check-contract#odd-objects",
    shows="CC-018 CC-082",
    needs=NAMES,
    drivers=("ready",),
    cases=rows("oddity", ("being deleted",), ("with unknown conditions",), ("without parameters",)),
    clauses={"a": "another check becomes Active", "b": "its entry is answered"},
)
def test_odd_checks_are_survived(make_queue, subject, kueue, oddity):
    subject.make_odd_check(oddity)
    check = subject.make_check()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([check]))

    within("react", check.is_active, clause="a")
    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-049",
    "a check with valid parameters becomes Active",
    requirement=PARAMETERS_ROW,
    shows="CC-010 CC-011",
    capabilities=PARAMETERS,
    clauses={"a": "the check becomes Active"},
)
def test_good_parameters(subject):
    check = subject.make_check(subject.make_parameters().reference)

    within("react", check.is_active, clause="a")


@scenario(
    "CHK-050",
    "a check whose parameters do not exist is not Active, with a reason",
    requirement=PARAMETERS_ROW,
    shows="CC-011",
    capabilities=PARAMETERS,
    cases=rows("parameters", ("missing",), ("of another kind",), ("of another group",)),
    clauses={"a": "it is reported with a reason and a message", "b": "the check is never Active"},
)
def test_parameters_lead_nowhere(subject, parameters):
    check = subject.make_check(subject.wrong_parameters(parameters))

    within("react", check.shows_why_inactive, clause="a")
    never(check.was_active, clause="b")


@scenario(
    "CHK-051",
    "a check whose parameters are invalid is not Active, with a reason",
    requirement=PARAMETERS_ROW,
    shows="CC-011",
    capabilities=PARAMETERS,
    revision=2,
    clauses={
        "a": "it is reported with a reason and a message",
        "b": "with parameters that are good it becomes Active",
    },
)
def test_invalid_parameters(subject):
    parameters = subject.make_parameters(valid=False)
    check = subject.make_check(parameters.reference)
    within("react", check.shows_why_inactive, clause="a")

    subject.catch_up()
    parameters.create()

    within("react", check.is_active, clause="b")


@scenario(
    "CHK-052",
    "a check becomes Active when its parameters are created after it",
    requirement=PARAMETERS_ROW,
    shows="CC-012",
    capabilities=PARAMETERS,
    revision=2,
    clauses={"a": "without them it is not Active", "b": "with them it is"},
)
def test_parameters_come_later(subject):
    parameters = subject.make_parameters(created=False)
    check = subject.make_check(parameters.reference)
    within("react", check.shows_why_inactive, clause="a")

    subject.catch_up()
    parameters.create()

    within("react", check.is_active, clause="b")


@scenario(
    "CHK-053",
    "a check whose parameters are deleted is no longer Active",
    requirement=PARAMETERS_ROW,
    shows="CC-012",
    capabilities=PARAMETERS,
    revision=2,
    clauses={
        "a": "the check becomes Active",
        "b": "without its parameters it is not Active, with a reason",
        "c": "with new ones it is again",
    },
)
def test_parameters_are_deleted(subject):
    parameters = subject.make_parameters()
    check = subject.make_check(parameters.reference)
    within("react", check.is_active, clause="a")

    subject.catch_up()
    parameters.delete()
    within("react", check.shows_why_inactive, clause="b")
    subject.catch_up()
    parameters.create()

    within("react", check.is_active, clause="c")


@scenario(
    "CHK-054",
    "the entry of a waiting Workload says that its check cannot be used, and is judged when it can",
    requirement=("check-contract#usable-parameters", "check-contract#messages"),
    shows="CC-067",
    level="should",
    needs=KUEUE,
    capabilities=PARAMETERS,
    drivers=("ready",),
    clauses={
        "a": "the entry has a message",
        "b": "it is undecided",
        "c": "with good parameters it is answered",
    },
)
def test_waiting_workloads_hear_of_it(make_queue, subject, kueue):
    parameters = subject.make_parameters(created=False)
    check = subject.make_check(parameters.reference)
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_readable_message(check, subject.max_message_bytes), clause="a")
    always(lambda: workload.has_states("Pending", check), clause="b")

    parameters.create()

    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-055",
    "a check that cannot be used does not keep others from being served",
    requirement=("check-contract#isolation", "check-contract#usable-parameters"),
    shows="CC-082",
    needs=(*KUEUE, *NAMES),
    capabilities=(Capability.PARAMETERS, Capability.MANY_CHECKS),
    drivers=("ready",),
    clauses={
        "a": "the broken one is not Active",
        "b": "the other one becomes Active",
        "c": "its entry is answered",
    },
)
def test_bad_parameters_are_isolated(make_queue, subject, kueue):
    broken, check = subject.make_check(subject.wrong_parameters("missing")), subject.make_check()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([broken, check]))

    within("react", broken.shows_why_inactive, clause="a")
    within("react", check.is_active, clause="b")
    within("react", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-056",
    "an admitted Workload keeps its verdict when the parameters of its check are deleted",
    requirement="check-contract#usable-parameters",
    shows="CC-067",
    level="should",
    capabilities=PARAMETERS,
    drivers=("ready",),
    revision=2,
    clauses={"a": "the verdict is given", "b": "the check is no longer Active", "c": "the verdict stays"},
)
def test_admitted_workload_keeps_its_verdict(make_queue, subject, kueue):
    parameters = subject.make_parameters()
    check = subject.make_check(parameters.reference)
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue.admit(workload)

    subject.catch_up()
    parameters.delete()
    within("react", check.shows_why_inactive, clause="b")

    always(lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-182",
    "a check whose parameters reference changes uses the new parameters",
    requirement=PARAMETERS_ROW,
    shows="CC-011 CC-012",
    capabilities=PARAMETERS,
    clauses={
        "a": "with good parameters it is Active",
        "b": "with missing parameters it is not Active, with a reason",
        "c": "with good ones again it is",
    },
)
def test_other_parameters(subject):
    check = subject.make_check(subject.make_parameters().reference)
    within("react", check.is_active, clause="a")

    check.set_parameters(subject.wrong_parameters("missing"))
    within("react", check.shows_why_inactive, clause="b")
    check.set_parameters(subject.make_parameters().reference)

    within("react", check.is_active, clause="c")


@scenario(
    "CHK-183",
    "checks that share their parameters become Active and inactive together",
    requirement=PARAMETERS_ROW,
    shows="CC-003 CC-012",
    level="should",
    needs=NAMES,
    capabilities=(*PARAMETERS, Capability.MANY_CHECKS),
    revision=2,
    clauses={
        "a": "both are Active",
        "b": "both are inactive without the parameters",
        "c": "both are Active with new ones",
    },
)
def test_shared_parameters(subject):
    parameters = subject.make_parameters()
    first, second = subject.make_check(parameters.reference), subject.make_check(parameters.reference)
    within("react", lambda: first.is_active() and second.is_active(), clause="a")

    subject.catch_up()
    parameters.delete()
    within("react", lambda: first.shows_why_inactive() and second.shows_why_inactive(), clause="b")
    subject.catch_up()
    parameters.create()

    within("react", lambda: first.is_active() and second.is_active(), clause="c")
