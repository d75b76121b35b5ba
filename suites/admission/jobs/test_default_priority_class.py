"""ADM: the WorkloadPriorityClass that Jobs without one have, where it exists (KV-19)."""

from kueue_conformance import always, rows, scenario, within

DEFAULT, VALUE, HIGH = "default", 77, 1000
GATE = "WorkloadPriorityClassDefaulting"
LABEL = "kueue.x-k8s.io/priority-class"
NEEDS = ("webhooks", "virtual time")
"""A class of this name is one for the whole cluster, so that no other case may be there."""


@scenario(
    "ADM-840",
    "from v0.20 on a Job without a priority class has the one named default, with a queue or without",
    requirement="kueue-api#priority",
    shows="KV-19 AC-097",
    since="0.20.0-devel",
    level="should",
    gates=(GATE,),
    needs=NEEDS,
    cases=rows("example", ("with a queue",), ("without a queue",), ("of an owner that is no job",)),
    clauses={
        "a": "a Job that was made before that class has none",
        "b": "a later one has it from its creation on",
        "c": "the Workload of a Job with a queue has its value",
    },
)
def test_jobs_without_a_class(kueue_cluster, clock, example):
    queue = kueue_cluster.make_queue(cpu="0") if example == "with a queue" else None
    owner = None
    if example == "of an owner that is no job":
        owner = kueue_cluster.make_pod_template_named(kueue_cluster.names.name("owner"))
    earlier = kueue_cluster.make_job_of(owner, queue)
    kueue_cluster.make_priority_class(VALUE, DEFAULT)
    clock.advance_budget("settle")

    later = kueue_cluster.make_job_of(owner, queue)

    assert earlier.has_priority_class(None), f"a: {earlier.has_priority_class(None)}"
    assert later.has_priority_class(DEFAULT), f"b: {later.has_priority_class(DEFAULT)}"
    if queue:
        reference = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": DEFAULT}
        workload = kueue_cluster.workload_of(later)
        within("react", lambda: workload.has_spec(priority=VALUE, priorityClassRef=reference), clause="c")


@scenario(
    "ADM-841",
    "the class named default is not that of a Job that names another, or that a Job controls",
    requirement="kueue-api#priority",
    shows="KV-19 AC-097",
    since="0.20.0-devel",
    level="should",
    gates=(GATE,),
    needs=NEEDS,
    clauses={
        "a": "a Job that names a class keeps it, with its value",
        "b": "a Job that a Job controls has none, the Job that controls it has that class",
    },
)
def test_jobs_that_are_left_alone(kueue_cluster, clock):
    queue, important = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_priority_class(HIGH)
    kueue_cluster.make_priority_class(VALUE, DEFAULT)
    clock.advance_budget("settle")

    workload = queue.submit("job", labels={LABEL: important})
    parent, child = kueue_cluster.make_family([queue, None])

    job = kueue_cluster.job_of(workload)
    within(
        "react", lambda: workload.has_spec(priority=HIGH) and job.has_priority_class(important), clause="a"
    )
    always(lambda: parent.has_priority_class(DEFAULT) and child.has_priority_class(None), clause="b")


@scenario(
    "ADM-842",
    "before v0.20 a priority class named default is that of the Jobs alone that name it",
    requirement="kueue-api#priority",
    shows="KV-19 AC-097",
    since="0.19",
    level="should",
    without_gates=(GATE,),
    needs=NEEDS,
    clauses={
        "a": "a Job that names no class has no such label, and its Workload has priority 0",
        "b": "the Workload of a Job that names it has its value",
    },
)
def test_default_is_a_name_like_others(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="0")
    kueue_cluster.make_priority_class(VALUE, DEFAULT)
    clock.advance_budget("settle")

    plain, named = (queue.submit("job", labels=labels) for labels in ({}, {LABEL: DEFAULT}))

    job = kueue_cluster.job_of(plain)
    within("react", lambda: plain.has_spec(priority=0, priorityClassRef=None), clause="a")
    always(lambda: job.has_priority_class(None) and plain.has_spec(priority=0), clause="a")
    within("react", lambda: named.has_spec(priority=VALUE), clause="b")
