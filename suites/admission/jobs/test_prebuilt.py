"""ADM: a Job that names the Workload that stands for it (label `prebuilt-workload-name`; AC-331, AC-382)."""

from kueue_conformance import always, either, rows, scenario, within

LABEL = "kueue.x-k8s.io/prebuilt-workload-name"


def submits(queue, name, **fields):
    """Submit a Job that names a Workload."""
    return queue.submit("job", labels={LABEL: name}, **fields)


def makes(queue, name, job, count=1, cpu=None):
    """Make a Workload as a user does for a Job: with its pods, whose cpu may be written otherwise."""
    template = job.template if cpu is None else with_cpu(job.template, cpu)
    return queue.submit(name=name, podSets=[{"name": "main", "count": count, "template": template}])


def with_cpu(template, cpu):
    """Return a pod template whose container requests so much."""
    (container,) = template["spec"]["containers"]
    written = {**container, "resources": {"requests": {"cpu": cpu}}}
    return {**template, "spec": {**template["spec"], "containers": [written]}}


@scenario(
    "ADM-620",
    "a Job with a prebuilt Workload runs when that is admitted, and no other Workload is created for it",
    requirement="kep-993#every-check-required",
    shows="AC-331 AC-333",
    cases=rows("user", ("waits",), ("lets-it-run",)),
    clauses={
        "a": "without the Workload the Job is held, and no Workload is created",
        "b": "the Workload is the Job's, and the only one",
        "c": "the Job waits for the checks",
        "d": "it runs then",
    },
)
def test_prebuilt_workload(kueue_cluster, user):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    named = submits(queue, name, suspend=user == "waits")
    job = kueue_cluster.job_of(named)
    within("react", job.is_suspended, clause="a")
    always(lambda: job.is_suspended() and named.is_gone(), clause="a")

    workload = makes(queue, name, job)

    within("reserve", lambda: workload.is_prechecked() and named.is_the_only_one(), clause="b")
    always(job.is_suspended, clause="c")
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started, clause="d")
    always(lambda: named.is_the_only_one() and workload.is_admitted(), clause="d")


@scenario(
    "ADM-621",
    "a prebuilt Workload whose requests do not match its Job is Finished, and its quota is free",
    requirement="kep-993#reservation-fits-quota",
    shows="AC-331 AC-296",
    clauses={"a": "it is Finished", "b": "its quota is free", "c": "the Job does not run"},
)
def test_prebuilt_workload_of_another_form(kueue_cluster):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    job = kueue_cluster.job_of(submits(queue, name))

    workload = makes(queue, name, job, count=2)

    within("settle", lambda: workload.has_condition("Finished", "True"), clause="a")
    within("settle", lambda: queue.shows_reserved("0") and queue.shows_counts(reserving=0), clause="b")
    always(job.is_suspended, clause="c")


@scenario(
    "ADM-622",
    "the prebuilt Workload of one Job is not taken over by another Job that names it",
    requirement="kep-993#every-check-required",
    shows="AC-331",
    clauses={"a": "it stays the first one's", "b": "the other one does not run"},
)
def test_workload_of_another_job(kueue_cluster):
    queue, name = kueue_cluster.make_queue(), kueue_cluster.names.name("workload")
    first = submits(queue, name, cpu="1")
    job = kueue_cluster.job_of(first)
    workload = makes(queue, name, job)
    within("admit", lambda: workload.is_admitted() and job.is_started())

    other = submits(queue, name, cpu="1")

    always(kueue_cluster.job_of(other).is_suspended, clause="b")
    always(lambda: first.is_the_only_one() and workload.is_admitted() and job.is_started(), clause="a")


@scenario(
    "ADM-623",
    "the messages about a prebuilt Workload that does not fit its Job have the recorded texts",
    requirement="kep-993#green-light",
    shows="AC-331 AC-382",
    since="0.19",
    level="may",
    clauses={"a": "it is not there, and the Job runs", "b": "it asks for something else"},
)
def test_texts_of_prebuilt_workloads(kueue_cluster):
    queue, name = kueue_cluster.make_queue(), kueue_cluster.names.name("workload")
    named = submits(queue, name, suspend=False)
    job = kueue_cluster.job_of(named)
    within("react", job.is_suspended)
    events = kueue_cluster.events_of(named)
    job.unsuspend()
    within("settle", lambda: events.has_text("Stopped", "missing workload", on="Job"), clause="a")

    workload = makes(queue, name, job, count=2)

    text = "The prebuilt workload is out of sync with its user job"
    within("settle", lambda: workload.has_message("Finished", text), clause="b")


@scenario(
    "ADM-637",
    "a prebuilt Workload with the quantities of its Job in another notation is adopted",
    requirement="kep-993#green-light",
    shows="AC-331 AC-333",
    cases=rows("written stored", ("1000m", "1"), ("1.5", "1500m"), (1, "1"), ("0.5", "500m")),
    clauses={
        "a": "it is owned by the Job, and not deactivated",
        "b": "the Job runs when the check has passed",
    },
)
def test_quantities_written_otherwise(kueue_cluster, written, stored):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    named = submits(queue, name, cpu=stored)
    job = kueue_cluster.job_of(named)

    workload = makes(queue, name, job, cpu=written)

    within("reserve", lambda: workload.is_prechecked() and named.is_the_only_one(), clause="a")
    always(lambda: workload.is_prechecked() and job.is_suspended(), clause="a")
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: workload.is_admitted() and job.is_started(), clause="b")


@scenario(
    "ADM-646",
    "a prebuilt Workload whose pods have other pod-level resources than its Job is adopted, or is Finished",
    requirement="kueue-api#quirks",
    shows="BUG-162 AC-331 KV-58",
    since="0.19",
    level="may",
    clauses={"a": "whether it is taken", "b": "then the Job runs, or does not"},
)
def test_pod_level_resources_differ(kueue_cluster, clock):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    job = kueue_cluster.job_of(submits(queue, name, cpu="", template=whole_pod("3")))
    template = {**job.template, "spec": {**job.template["spec"], **whole_pod("1")}}

    workload = queue.submit(name=name, podSets=[{"name": "main", "count": 1, "template": template}])
    clock.advance_budget("react")

    observed = either(
        "settle",
        {
            "it is given up": lambda: workload.has_condition("Finished", "True", "OutOfSync"),
            "it is taken": lambda: workload.is_prechecked() and workload.is_finished().negate(),
        },
        until={"it is taken": "<0.19.3, 0.20.0"},
        clause="a",
    )
    if observed == "it is given up":
        always(job.is_suspended, clause="b")
    else:
        queue.checks[0].answer(workload, "Ready")
        within("admit", job.is_started, clause="b")


@scenario(
    "ADM-831",
    "a prebuilt Workload whose pods lack a resourceClaim of its Job is adopted, or is Finished",
    requirement="kueue-api#quirks",
    shows="KV-58 BUG-162 AC-331",
    since="0.19",
    level="may",
    clauses={"a": "whether it is taken", "b": "then the Job runs, or does not"},
)
def test_resource_claims_differ(kueue_cluster, clock):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    claims = [{"name": "device", "resourceClaimTemplateName": "device"}]
    job = kueue_cluster.job_of(submits(queue, name, template={"resourceClaims": claims}))
    spec = {field: value for field, value in job.template["spec"].items() if field != "resourceClaims"}

    template = {**job.template, "spec": spec}
    workload = queue.submit(name=name, podSets=[{"name": "main", "count": 1, "template": template}])
    clock.advance_budget("react")

    observed = either(
        "settle",
        {
            "it is given up": lambda: workload.has_condition("Finished", "True", "OutOfSync"),
            "it is taken": lambda: workload.is_prechecked() and workload.is_finished().negate(),
        },
        until={"it is taken": "<0.19.3, 0.20.0"},
        clause="a",
    )
    if observed == "it is given up":
        always(job.is_suspended, clause="b")
    else:
        queue.checks[0].answer(workload, "Ready")
        within("admit", job.is_started, clause="b")


def whole_pod(cpu):
    """Return what a pod requests as a whole."""
    return {"resources": {"requests": {"cpu": cpu}}}
