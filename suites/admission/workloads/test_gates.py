"""ADM: gates that keep a Workload out of the queue (AC-163, AC-256, AC-299)."""

from kueue_conformance import always, either, pairwise, scenario, within

FORMS = ("workload", "job")
MISSING_QUEUE = ("Inadmissible", "Misconfigured")
"""Reasons of a Workload whose queue is missing, by release (KV-09)."""
GATES = "kueue.x-k8s.io/admission-gated-by"
GATED = "Admission is gated by: "
IN_TURN = 6
"""So many reasons one after the other are no accident: two parts of Kueue write one condition, each for the
sake of the other.
"""


@scenario(
    "ADM-025",
    "an annotation gate keeps a Workload out of the queue until it is removed",
    requirement="kep-993#hold",
    shows="SC-025 AC-256 AC-299 S-110",
    since="0.19",
    gates=("AdmissionGatedBy",),
    cases=pairwise(form=FORMS),
    clauses={"a": "it stays pending and reports the gate", "b": "without the gate it is admitted"},
)
def test_gated_workload_waits(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=0)
    workload = queue.submit(form, annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"})
    within("settle", lambda: workload.has_reason("QuotaReserved", "AdmissionGated"), clause="a")
    always(workload.is_suspended, clause="a")

    workload.remove_gate()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-038",
    "a Workload whose admission gate is removed reports that it waits for quota",
    requirement="kep-993#hold",
    shows="AC-256 AC-299",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="should",
    clauses={
        "a": "QuotaReserved is False as for any that waits",
        "b": "events tell of the gate and of its end, once each",
        "c": "quota is reserved for it",
    },
    revision=2,
)
def test_opened_gate_is_told(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit(annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"})
    within("settle", lambda: workload.lists_checks(*queue.checks))
    within("settle", lambda: workload.has_reason("QuotaReserved", "AdmissionGated"))
    clock.settle()
    queue.checks[0].set_active(False)  # else quota may be reserved before the gate's end is told
    within("settle", queue.is_inactive_for_inactive_checks)

    workload.remove_gate()

    within(
        "settle",
        lambda: workload.had_condition("QuotaReserved", "False", "Pending", "PendingEvaluation", "Suspended"),
        clause="a",
    )
    events = kueue_cluster.events_of(workload)
    within(
        "settle",
        lambda: events.has_events("AdmissionGated") and events.has_events("AdmissionGateCleared"),
        clause="b",
    )
    queue.checks[0].set_active()
    within("requeue", workload.is_prechecked, clause="c")
    always(
        lambda: events.has_events("AdmissionGated") and events.has_events("AdmissionGateCleared"), clause="b"
    )


@scenario(
    "ADM-422",
    "a remaining gate keeps a Workload out of the queue after other gates were removed",
    requirement="kep-993#hold",
    shows="AC-163 AC-256 AC-299",
    since="0.19",
    gates=("AdmissionGatedBy",),
    clauses={"a": "it waits", "b": "it is admitted without the last one"},
)
def test_one_of_two_gates(make_queue):
    queue = make_queue()
    workload = queue.submit(
        annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/one,example.com/two"}
    )
    within("settle", lambda: workload.has_reason("QuotaReserved", "AdmissionGated"))

    workload.try_to_change(metadata={"annotations": {"kueue.x-k8s.io/admission-gated-by": "example.com/two"}})
    always(
        lambda: workload.is_suspended() and workload.has_reason("QuotaReserved", "AdmissionGated"), clause="a"
    )
    workload.remove_gate()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-556",
    "a Workload with a gate and a missing queue reports the gate, and the queue when the gate is removed",
    requirement="kep-993#hold",
    shows="AC-253 AC-256 AC-299",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="should",
    revision=2,
    clauses={
        "a": "it reports the gate alone, or both in turn, without end",
        "b": "then that its queue is missing",
    },
)
def test_gate_before_a_missing_queue(kueue_cluster, clock):
    queue, _ = kueue_cluster.make_incomplete_queue("no-local-queue")
    workload = queue.submit(annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"})
    within("settle", lambda: workload.has_reason("QuotaReserved", "AdmissionGated"), clause="a")
    clock.advance_budget("react")
    workload.touch()
    clock.advance_budget("react")
    either(
        "settle",
        {
            "the gate": lambda: (
                workload.has_reason("QuotaReserved", "AdmissionGated")
                and workload.had_condition("QuotaReserved", "False", *MISSING_QUEUE).negate()
            ),
            "both in turn": lambda: workload.had_reason_changes("QuotaReserved", IN_TURN),
        },
        clause="a",
    )

    workload.remove_gate()

    within(
        "settle",
        lambda: workload.has_message_containing("QuotaReserved", f"LocalQueue {queue.name} "),
        clause="b",
    )


@scenario(
    "ADM-560",
    "a gate that is removed from a Job is removed from its Workload",
    requirement="kep-993#hold",
    shows="AC-256 AC-299 VIS-508",
    since="0.19",
    gates=("AdmissionGatedBy",),
    clauses={"a": "it waits for its gate", "b": "it is admitted, and its Job runs"},
)
def test_gate_of_a_job(kueue_cluster):
    workload = kueue_cluster.make_queue().submit(
        "job", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/gate"}
    )
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")

    job.remove_gate()

    within("admit", lambda: workload.is_admitted() and job.is_started(), clause="b")


@scenario(
    "ADM-801",
    "the message of a Workload whose first admission gate is removed names the gate that is left, or both, by release",
    requirement="kep-993#hold",
    shows="KV-14 AC-256 AC-299 M-070",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="may",
    clauses={"a": "the gates in the message", "b": "it waits", "c": "it is admitted without the last one"},
)
def test_message_when_a_gate_is_left(kueue_cluster):
    both, last = "example.com/one,example.com/two", "example.com/two"
    workload = kueue_cluster.make_queue().submit(annotations={GATES: both})
    within("settle", lambda: workload.has_message("QuotaReserved", f"{GATED}{both}"))

    workload.try_to_change(metadata={"annotations": {GATES: last}})

    named = last if kueue_cluster.context.dialect.fact("names-causes") else both
    within("settle", lambda: workload.has_message("QuotaReserved", f"{GATED}{named}"), clause="a")
    always(workload.is_suspended, clause="b")
    assert workload.has_message("QuotaReserved", f"{GATED}{named}"), "a: it stays so"
    workload.remove_gate()
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-574",
    "the messages about an admission gate and its removal have the recorded texts",
    requirement="kep-993#hold",
    shows="AC-256 AC-299 M-070 M-071",
    since="0.19",
    gates=("AdmissionGatedBy",),
    level="may",
    clauses={
        "a": "the condition names the gates",
        "b": "an event does",
        "c": "the condition reports that the gate is open",
        "d": "an event does",
    },
)
def test_texts_of_a_gate(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    gates = "example.com/one,example.com/two"
    workload = queue.submit(annotations={"kueue.x-k8s.io/admission-gated-by": gates})
    events = kueue_cluster.events_of(workload)
    within(
        "settle", lambda: workload.has_message("QuotaReserved", f"Admission is gated by: {gates}"), clause="a"
    )
    within(
        "settle",
        lambda: events.has_text("AdmissionGated", f"Workload admission is gated by: {gates}"),
        clause="b",
    )
    queue.checks[0].set_active(False)  # else quota may be reserved before the gate's end is told
    within("settle", queue.is_inactive_for_inactive_checks)

    workload.remove_gate()

    opened = "AdmissionGatedBy cleared, waiting for quota reservation"
    within("settle", lambda: workload.had_message("QuotaReserved", "", opened), clause="c")
    cleared = "Admission gate cleared, workload is now admissible"
    within("settle", lambda: events.has_text("AdmissionGateCleared", cleared), clause="d")


@scenario(
    "ADM-580",
    "gates that are removed from a Job are removed from its Workload, and its other gates stay",
    requirement="kep-993#hold",
    shows="AC-256 AC-299 VIS-508",
    since="0.19",
    gates=("AdmissionGatedBy",),
    clauses={
        "a": "the Workload has the others, and waits",
        "b": "other annotations stay",
        "c": "without the last one it is admitted",
    },
)
def test_some_gates_of_a_job(kueue_cluster):
    gate = "kueue.x-k8s.io/admission-gated-by"
    queue = kueue_cluster.make_queue(checks=0)
    workload = queue.submit("job", annotations={gate: "example.com/one,example.com/two,example.com/three"})
    job = kueue_cluster.job_of(workload)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    workload.try_to_change(metadata={"annotations": {"example.com/of-another": "yes"}})

    job.set_gates("example.com/one,example.com/three")

    within("react", lambda: workload.has_annotation(gate, "example.com/one,example.com/three"), clause="a")
    always(workload.is_suspended, clause="a")
    always(lambda: workload.has_annotation("example.com/of-another", "yes"), clause="b")
    job.remove_gate()
    within("admit", workload.is_admitted, clause="c")
    always(lambda: workload.has_annotation("example.com/of-another", "yes"), clause="b")
