"""ADM: Jobs that name a Workload which their user has made (AC-271, AC-382; C-28)."""

from kueue_conformance import always, scenario, within

NAME = "prebuilt"
NAMING = {"kueue.x-k8s.io/prebuilt-workload-name": NAME}


def made_for(queue, job):
    """Make the Workload that a Job names, for its pods."""
    return queue.submit(name=NAME, podSets=[{"name": "main", "count": 1, "template": job.template}])


@scenario(
    "ADM-593",
    "a Job that names a Workload waits until that is there, takes it for its own, and runs when it is admitted",
    requirement="kep-993#green-light",
    shows="AC-331 AC-333 AC-382",
    since="0.19",
    level="may",
    clauses={
        "a": "no Workload is made for it",
        "b": "it does not run before that",
        "c": "the Workload belongs to it",
        "d": "it runs, and has no other one",
    },
)
def test_prebuilt_workload(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.submit("job", cpu="1", labels=NAMING)
    job = kueue_cluster.job_of(workload)
    always(lambda: workload.exists().denied() and job.is_suspended(), clause="a")
    job.is_let_run()
    within("react", job.is_suspended, clause="b")

    prebuilt = made_for(queue, job)

    within("settle", workload.exists, clause="c")
    within("reserve", lambda: prebuilt.is_prechecked() and prebuilt.lists_checks(*queue.checks))
    always(job.is_suspended, clause="b")
    queue.admits(prebuilt)
    within("admit", job.is_started, clause="d")
    always(workload.is_the_only_one, clause="d")


@scenario(
    "ADM-594",
    "a Workload that asks for other pods than the Job that names it is Finished, as out of sync",
    requirement="kueue-api#ends",
    shows="AC-271",
    since="0.19",
    level="may",
    clauses={"a": "it is Finished, and says why", "b": "the Job does not run"},
)
def test_prebuilt_workload_is_out_of_sync(kueue_cluster):
    queue = kueue_cluster.queue()
    prebuilt = queue.submit(name=NAME, cpu="1")
    within("admit", prebuilt.is_admitted)

    job = kueue_cluster.job_of(queue.submit("job", cpu="2", labels=NAMING))

    told = "The prebuilt workload is out of sync with its user job"
    within("settle", lambda: prebuilt.was_told_in("Finished", "OutOfSync", told), clause="a")
    always(job.is_suspended, clause="b")


@scenario(
    "ADM-595",
    "of two Jobs that name one Workload the first runs",
    requirement="kep-993#green-light",
    shows="AC-331 AC-333",
    since="0.19",
    level="may",
    clauses={"a": "the first runs", "b": "the other does not, and the Workload stays the first one's"},
)
def test_prebuilt_workload_is_taken(kueue_cluster):
    queue = kueue_cluster.queue()
    first = queue.submit("job", cpu="1", labels=NAMING)
    made_for(queue, kueue_cluster.job_of(first))
    within("admit", kueue_cluster.job_of(first).is_started, clause="a")

    second = queue.submit("job", cpu="1", labels=NAMING)

    always(kueue_cluster.job_of(second).is_suspended, clause="b")
    always(lambda: first.exists() and kueue_cluster.job_of(first).is_started(), clause="b")
