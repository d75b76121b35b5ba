"""ADM: Jobs of namespaces that managedJobsNamespaceSelector leaves out (AC-339, KV-19)."""

from kueue_conformance import always, scenario, within

MANAGED = "managed namespaces"
UNMANAGED = "kueue-conformance.dev/unmanaged"
"""The selector of the configuration leaves out namespaces with this label."""
ALWAYS_RESPECTED, DEFAULT_CLASSES = (
    "ManagedJobsNamespaceSelectorAlwaysRespected",
    "WorkloadPriorityClassDefaulting",
)
DEFAULT, VALUE = "default", 77


@scenario(
    "ADM-850",
    "a Job in a namespace that managedJobsNamespaceSelector leaves out is not managed, whatever its queue",
    requirement="kueue-api#managed-namespaces",
    shows="AC-339",
    since="0.19",
    gates=(ALWAYS_RESPECTED,),
    needs=(MANAGED,),
    clauses={
        "a": "it has no Workload, and it runs on",
        "b": "one that waits has no Workload either",
        "c": "a Job of another namespace with the same ClusterQueue is admitted",
    },
)
def test_namespace_that_is_left_out(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=0)
    other = kueue_cluster.make_local_queue_in_other_namespace(queue, labels={UNMANAGED: ""})

    running, waiting = (
        kueue_cluster.make_job_of(None, other, namespace=other.namespace, suspend=suspend)
        for suspend in (False, True)
    )
    managed = queue.submit("job")

    within("admit", managed.is_admitted, clause="c")
    always(lambda: kueue_cluster.workload_of(running).exists().negate() and running.is_started(), clause="a")
    always(lambda: kueue_cluster.workload_of(waiting).exists().negate(), clause="b")


@scenario(
    "ADM-851",
    "from v0.20 on the class named default is not that of Jobs in namespaces that are left out",
    requirement="kueue-api#priority",
    shows="KV-19 AC-339",
    since="0.20.0",
    level="should",
    gates=(DEFAULT_CLASSES,),
    needs=("webhooks", "virtual time", MANAGED),
    clauses={"a": "a Job there has none", "b": "a Job of another namespace has that class"},
)
def test_default_class_where_jobs_are_managed(kueue_cluster, clock):
    kueue_cluster.make_priority_class(VALUE, DEFAULT)
    left_out = kueue_cluster.make_namespace(labels={UNMANAGED: ""})
    clock.advance_budget("settle")

    unmanaged, managed = (
        kueue_cluster.make_job_of(None, namespace=namespace) for namespace in (left_out, "")
    )

    within("react", lambda: managed.has_priority_class(DEFAULT), clause="b")
    always(lambda: unmanaged.has_priority_class(None), clause="a")
