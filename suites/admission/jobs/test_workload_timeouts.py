"""ADM: Jobs that say themselves how long their pods may take to be ready (KV-61, AC-315)."""

from kueue_conformance import always, rows, scenario, within

TIMEOUTS = "kueue.x-k8s.io/wait-for-pods-ready"
OF_WORKLOADS = "timeouts of Workloads"
TWO_HOURS = 7200


def times(start, recovery=None):
    """Return the annotation that gives pods so many seconds to start, and to recover."""
    of_recovery = "" if recovery is None else f', "recoveryTimeoutSeconds": {recovery}'
    return {TIMEOUTS: f'{{"timeoutSeconds": {start}{of_recovery}}}'}


@scenario(
    "ADM-810",
    "a Job whose annotation has timeouts is evicted by these when its pods are not ready, not by those of the configuration",
    requirement="kueue-api#pods-in-time",
    shows="KV-61 AC-315",
    since="0.20.0",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=(OF_WORKLOADS, "virtual time"),
    cases=rows(
        "cause start recovery seconds",
        ("WaitForStart", 120, None, 120),
        ("WaitForStart", 3600, 60, 3600),
        ("WaitForRecovery", 120, None, 120),
        ("WaitForRecovery", 3600, 60, 60),
    ),
    clauses={
        "a": "its Workload has the annotation",
        "b": "admitted until that time is over; without a time of its own a recovery has that of a start",
        "c": "then evicted",
    },
)
def test_timeouts_of_a_workload(kueue_cluster, clock, cause, start, recovery, seconds):
    annotation = times(start, recovery)
    workload = kueue_cluster.make_queue().submit("job", annotations=annotation)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    within("settle", lambda: workload.has_annotation(TIMEOUTS, annotation[TIMEOUTS]), clause="a")
    if cause == "WaitForRecovery":
        job.set_pods(active=1, ready=1)
        within("react", lambda: workload.has_condition("PodsReady", "True"))
        job.set_pods(active=1, ready=0)
        within("react", lambda: workload.has_condition("PodsReady", "False", cause))

    clock.advance_while(seconds, workload.is_admitted, touched=workload, clause="b")

    within("prompt", lambda: workload.was_evicted_for("PodsReadyTimeout"), clause="c")


@scenario(
    "ADM-811",
    "the timeouts that a suspended Job gets, changes or loses are those of its Workload, which stays the same object",
    requirement="kueue-api#pods-in-time",
    shows="KV-61",
    since="0.20.0",
    without_gates=("DisableWaitForPodsReady",),
    level="may",
    needs=(OF_WORKLOADS,),
    cases=rows("before after", (None, 60), (60, 120), (60, None)),
    clauses={"a": "the annotation of the Workload", "b": "its uid"},
)
def test_timeouts_of_a_waiting_job(kueue_cluster, before, after):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit("job", annotations=times(before) if before else {})
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))
    uid, text = workload.object["metadata"]["uid"], times(after)[TIMEOUTS] if after else None

    kueue_cluster.job_of(workload).set_timeouts(text)

    within("react", lambda: workload.has_annotation(TIMEOUTS, text), clause="a")
    always(lambda: workload.has_annotation(TIMEOUTS, text), clause="a")
    assert workload.object["metadata"]["uid"] == uid, "b: the Workload was made anew"


@scenario(
    "ADM-812",
    "timeouts of a Job are positive numbers of seconds up to two hours, those of a recovery beside those of a start",
    requirement="kueue-api#rules",
    shows="KV-61",
    since="0.20.0",
    level="may",
    needs=(OF_WORKLOADS, "webhooks"),
    cases=rows(
        "example text",
        ("nothing", '{"timeoutSeconds": 0}'),
        ("less than nothing", '{"timeoutSeconds": -1}'),
        ("longer", f'{{"timeoutSeconds": {TWO_HOURS + 1}}}'),
        ("a longer recovery", f'{{"timeoutSeconds": 1, "recoveryTimeoutSeconds": {TWO_HOURS + 1}}}'),
        ("a recovery alone", '{"recoveryTimeoutSeconds": 60}'),
        ("a duration", '{"timeoutSeconds": "1m"}'),
        ("no JSON", "60"),
        ("an unfinished object", '{"timeoutSeconds": '),
    ),
    clauses={"a": "the least and the longest time are taken", "b": "others are refused for the annotation"},
)
def test_rules_of_timeouts(kueue_cluster, example, text):
    template = kueue_cluster.pod_set("main")["template"]
    pods = {**template, "spec": {**template["spec"], "restartPolicy": "Never"}}

    least, longest, wrong = (
        kueue_cluster.try_to_create(
            "Job",
            {"suspend": True, "template": pods},
            labels={"kueue.x-k8s.io/queue-name": "any"},
            annotations={TIMEOUTS: value},
        )
        for value in (times(1)[TIMEOUTS], times(TWO_HOURS, TWO_HOURS)[TIMEOUTS], text)
    )

    assert least.is_accepted, f"a: {least}"
    assert longest.is_accepted, f"a: {longest}"
    assert wrong.was_denied(TIMEOUTS), f"b: {wrong}"


@scenario(
    "ADM-813",
    "timeouts of a Job that runs do not change",
    requirement="kueue-api#rules",
    shows="KV-61",
    since="0.20.0",
    level="may",
    needs=(OF_WORKLOADS, "webhooks"),
    clauses={"a": "another time is refused", "b": "so is none"},
)
def test_timeouts_of_a_running_job(kueue_cluster):
    workload = kueue_cluster.make_queue().submit("job", annotations=times(60))
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)

    other, none = (job.try_to_set_timeouts(text) for text in (times(90)[TIMEOUTS], None))

    assert other.was_denied(TIMEOUTS), f"a: {other}"
    assert none.was_denied(TIMEOUTS), f"b: {none}"
