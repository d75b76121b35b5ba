"""CHK: a check controller serves the checks that name it,
and leaves all others alone (KEP-993, lines 247-252).
"""

from kueue_conformance import Capability, always, cross, never, rows, scenario, within

KUEUE = ("scripted control plane",)
NAMES = ("check names",)
ALIKE = {
    "longer": lambda own: f"{own}-two",
    "longer in front": lambda own: f"not.{own}",
    "of the same domain": lambda own: f"{own.partition('/')[0]}/somebody-else",
    "in capitals": str.upper,
}


@scenario(
    "CHK-001",
    "a check that names the controller becomes Active",
    requirement=("kep-993#controller-watches-checks", "docs-2024#controller-marks-active"),
    shows="CC-010 CC-014 CC-018",
    clauses={"a": "the check becomes Active", "b": "it stays so"},
    cases=cross().also_drawn(),
)
def test_own_check_becomes_active(subject):
    check = subject.make_check()

    within("react", check.is_active, clause="a")
    always(check.is_active, clause="b")


@scenario(
    "CHK-002",
    "a check that names another controller is left alone",
    requirement="kep-993#controller-watches-checks",
    shows="CC-001",
    needs=KUEUE,
    drivers=("ready",),
    clauses={"a": "its Active condition stays as it is", "b": "its entry stays Pending"},
    cases=cross().also_drawn(),
)
def test_foreign_check_is_left_alone(kueue_cluster, subject, kueue):
    foreign = kueue_cluster.make_check(active=False)
    subject.set_answer("Ready")

    workload = kueue.precheck(kueue_cluster.make_queue([foreign]))

    never(lambda: foreign.has_no_active_condition().negate(), clause="a")
    always(lambda: workload.has_states("Pending", foreign), clause="b")


@scenario(
    "CHK-003",
    "an entry's owner is found through the AdmissionCheck, not through the entry's name",
    requirement="kep-993#controller-watches-checks",
    shows="CC-001 CC-002 CC-031",
    drivers=("ready",),
    clauses={"a": "the own entry is answered", "b": "the other entry stays Pending"},
    cases=cross().also_drawn(),
)
def test_owner_is_found_through_the_check(kueue_cluster, make_queue, subject, kueue):
    own = subject.make_check()
    foreign = kueue_cluster.make_check_named_like(own)
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([own, foreign]))

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.has_states("Pending", foreign), clause="b")


@scenario(
    "CHK-004",
    "several checks that name the controller are served",
    requirement=("kep-993#controller-watches-checks", "kep-993#one-entry-per-check"),
    shows="CC-003 CC-010 CC-027",
    needs=NAMES,
    revision=2,
    capabilities=(Capability.MANY_CHECKS,),
    drivers=("ready",),
    clauses={"a": "each check becomes Active", "b": "each entry is answered"},
)
def test_several_checks_are_served(make_queue, subject, kueue):
    first, second = subject.make_check(), subject.make_check()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([first, second]))

    within("react", first.is_active, clause="a")
    within("react", second.is_active, clause="a")
    within("react", lambda: workload.has_states("Ready", first, second), clause="b")


@scenario(
    "CHK-005",
    "the Active condition has the observedGeneration of the check that it was computed from",
    requirement="docs-2024#controller-marks-active",
    shows="CC-016",
    level="should",
    clauses={"a": "observedGeneration is the check's generation", "b": "also after the spec was changed"},
)
def test_active_condition_follows_the_generation(subject):
    check = subject.make_check()
    within("react", check.is_active_for_its_generation, clause="a")

    subject.change_parameters_of(check)

    within("react", check.is_active_for_its_generation, clause="b")


@scenario(
    "CHK-006",
    "a check whose controller name only resembles the subject's belongs to another controller",
    requirement="kep-993#controller-watches-checks",
    shows="CC-001",
    needs=KUEUE,
    drivers=("ready",),
    cases=rows("name", *((example,) for example in ALIKE)),
    clauses={"a": "its Active condition stays as it is", "b": "its entry stays Pending"},
)
def test_names_are_compared_exactly(kueue_cluster, make_queue, subject, kueue, name):
    foreign = kueue_cluster.make_check(active=False, controller=ALIKE[name](subject.controller_name))
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([foreign]))

    never(lambda: foreign.has_no_active_condition().negate(), clause="a")
    always(lambda: workload.has_states("Pending", foreign), clause="b")


@scenario(
    "CHK-007",
    "the controller finds its entry at any place in the list",
    requirement=("kep-993#controller-watches-checks", "kep-993#one-entry-per-check"),
    shows="CC-002 CC-031",
    drivers=("ready",),
    clauses={"a": "the own entry is answered", "b": "those around it stay Pending"},
)
def test_own_entry_is_not_the_first(kueue_cluster, make_queue, subject, kueue):
    before, own, after = kueue_cluster.make_checks_around(subject.make_check())
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([before, own, after]))

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.has_states("Pending", before, after), clause="b")


@scenario(
    "CHK-008",
    "a check that was recreated for another controller is no longer served",
    requirement=("kep-993#controller-watches-checks", "check-contract#checks-come-and-go"),
    shows="CC-001 CC-002 CC-066",
    needs=KUEUE,
    drivers=("ready",),
    revision=2,
    clauses={"a": "it was served", "b": "its entry stays Pending", "c": "no controller sets it Active"},
)
def test_check_that_went_to_another_controller(make_queue, subject, kueue):
    check = subject.make_check()
    within("react", check.is_active, clause="a")
    subject.set_answer("Ready")
    served = kueue.precheck(make_queue([check]))
    within("react", lambda: served.has_states("Ready", check), clause="a")

    check.recreate(f"{subject.controller_name}-two")
    subject.catch_up()
    workload = kueue.precheck(make_queue([check]))

    always(lambda: workload.has_states("Pending", check), clause="b")
    always(check.has_no_active_condition, clause="c")


@scenario(
    "CHK-009",
    "a check that was recreated for this controller is served",
    requirement=("kep-993#controller-watches-checks", "check-contract#checks-come-and-go"),
    shows="CC-002 CC-010",
    drivers=("ready",),
    clauses={"a": "it becomes Active", "b": "its entry is answered"},
)
def test_check_that_came_from_another_controller(make_queue, subject, kueue):
    check = subject.make_foreign_check()
    subject.set_answer("Ready")

    own = subject.take_over(check)
    workload = kueue.precheck(make_queue([own]))

    within("react", own.is_active, clause="a")
    within("react", lambda: workload.has_states("Ready", own), clause="b")


@scenario(
    "CHK-188",
    "a check is served by its controllerName, whatever its own name is",
    requirement=("kep-993#controller-watches-checks", "docs-2024#controller-marks-active"),
    shows="CC-002 CC-010",
    revision=2,
    clauses={"a": "a check of any name becomes Active", "b": "its entry is answered"},
    cases=cross().also_drawn(),
)
def test_any_name_is_served(make_queue, subject, kueue):
    check = subject.make_check_of_any_name()
    subject.set_answer(subject.usual_verdict)

    workload = kueue.precheck(make_queue([check]))

    within("react", check.is_active, clause="a")
    within("react", lambda: workload.had_verdict(check, subject.usual_verdict), clause="b")


@scenario(
    "CHK-040",
    "fields that other clients write on a check stay",
    requirement="check-contract#nothing-of-others",
    shows="CC-013",
    clauses={"a": "the check becomes Active", "b": "label, finalizer and condition of others are there"},
)
def test_notes_of_others_stay(subject):
    check = subject.make_check()
    check.add_foreign_fields()
    subject.change_parameters_of(check)

    within("react", check.is_active, clause="a")
    always(check.has_foreign_fields, clause="b")


@scenario(
    "CHK-041",
    "a verdict leaves every other field of the status as it is",
    requirement=("kep-993#controller-flips-own-condition", "check-contract#nothing-of-others"),
    shows="CC-032 CC-077",
    needs=KUEUE,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is given", "b": "nothing else has changed"},
)
def test_other_fields_survive(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    kueue.set_other_status_fields(workload)
    kueue.set_unknown_condition(workload)
    before = workload.state_without_entries()

    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.state_without_entries() == before, clause="b")


@scenario(
    "CHK-196",
    "a verdict reaches an entry that Kueue has applied as its own",
    requirement=("controllers#conflicts", "kep-993#controller-flips-own-condition"),
    shows="CC-038 CC-039 KV-16",
    since="0.20.0-devel",
    gates=("UnadmittedWorkloadsObservability",),
    drivers=("ready", "pending"),
    permits=("CC-039",),
    clauses={
        "a": "the entry has the verdict, whatever an apply without force is answered",
        "b": "the verdict stays",
    },
)
def test_verdict_reaches_what_kueue_applied(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("settle", lambda: workload.has_entry_owner("kueue-admission", check.name))

    subject.set_answer("Ready")

    within("recover", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-180",
    "the entry of another controller stays as it is",
    requirement=("kep-993#controller-flips-own-condition", "check-contract#nothing-of-others"),
    shows="CC-031",
    drivers=("ready", "pending"),
    clauses={"a": "the own verdict is given", "b": "the other entry is as it was"},
    cases=cross().also_drawn(),
)
def test_entries_of_others_are_kept_whole(kueue_cluster, make_queue, subject, kueue):
    own, foreign = subject.make_check(), kueue_cluster.make_check()
    workload = kueue.precheck(make_queue([own, foreign]))
    foreign.answer(workload, "Ready", message="fine", updates=kueue_cluster.pod_updates())
    before = workload.entry_of(foreign)

    subject.set_answer("Ready")

    within("react", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.entry_of(foreign) == before, clause="b")
