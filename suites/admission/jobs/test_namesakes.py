"""ADM: objects of the same name in another namespace: Jobs, Workloads and LocalQueues are known by both
(AC-240, AC-331, AC-334, Q-002).
"""

from kueue_conformance import always, pairwise, scenario, within

FORMS = ("workload", "job")
AGES = ("older", "younger")
EVENTS = {
    "ends": lambda _, namesake: namesake.finish(),
    "is-deleted": lambda _, namesake: namesake.delete(),
    "is-sent-back": lambda other, namesake: other.checks[0].answer(namesake, "Retry"),
    "is-deactivated": lambda _, namesake: namesake.deactivate(),
    "loses-its-queue": lambda other, _: other.delete_local(),
    "is-drained": lambda other, _: other.hold_and_drain_local(),
}
"""What happens to the other one, by its queue and itself."""


def submit_both(queue, other, age, form, **spec):
    """Submit one of the same name to each of two queues; return that of the first queue and its namesake."""
    in_order = {"older": (other, queue), "younger": (queue, other)}[age]
    workloads = {member: member.submit(form, **spec) for member in in_order}
    return workloads[queue], workloads[other]


@scenario(
    "ADM-710",
    "what happens to a Workload or a Job does not touch another of its name in another namespace",
    requirement=("kep-993#every-check-required", "kep-993#reservation-fits-quota"),
    shows="AC-240 AC-331 Q-002",
    cases=pairwise(form=FORMS, event=tuple(EVENTS), age=AGES),
    clauses={
        "a": "each gets the quota of its own queue, and the verdict of its own check",
        "b": "what happens to one leaves the other admitted, with its quota",
        "c": "which ends by itself, and its quota is free",
    },
)
def test_namesake_in_another_namespace(kueue_cluster, form, event, age):
    queue = kueue_cluster.make_queue(checks=1)
    other, name = kueue_cluster.make_namesake_of(queue), kueue_cluster.names.name(form)
    workload, namesake = submit_both(queue, other, age, form, name=name, cpu="1")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="a")
    within("reserve", lambda: namesake.is_prechecked() and namesake.lists_checks(*other.checks), clause="a")
    other.admit(namesake)
    always(workload.is_prechecked, clause="a")
    queue.admit(workload)

    EVENTS[event](other, namesake)
    within("settle", lambda: queue.shows_counts(reserving=1))
    workload.touch()

    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="b")
    within(
        "settle",
        lambda: (
            queue.shows_counts(reserving=1, admitted=1)
            and queue.shows_counts_locally(reserving=1, admitted=1)
        ),
        clause="b",
    )
    workload.finish()
    within("settle", lambda: workload.is_finished() and queue.shows_reserved("0"), clause="c")


@scenario(
    "ADM-711",
    "a Workload waits in the LocalQueue of its namespace, whatever becomes of one of that name in another",
    requirement=("kep-993#not-reserved-at-first", "kep-993#hold"),
    shows="AC-334 Q-002 Q-062",
    since="0.9",
    also=("kep993",),
    cases=pairwise(form=FORMS, event=("is-drained", "loses-its-queue"), age=AGES),
    clauses={
        "a": "it waits while its own queue is stopped, and the other one runs",
        "b": "it gets quota when its own queue is resumed, and the other one is stopped or gone",
    },
)
def test_namesake_of_a_local_queue(kueue_cluster, form, event, age):
    queue = kueue_cluster.make_queue(checks=1)
    other, name = kueue_cluster.make_namesake_of(queue), kueue_cluster.names.name(form)
    queue.hold_local()
    within("react", lambda: queue.is_inactive_locally("Stopped"))
    workload, namesake = submit_both(queue, other, age, form, name=name, cpu="1")
    within("reserve", namesake.is_prechecked, clause="a")
    always(lambda: workload.is_suspended() and queue.shows_reserved("0"), clause="a")

    EVENTS[event](other, namesake)
    queue.resume_local()

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="b")
    within("settle", lambda: queue.shows_reserved("1") and queue.shows_counts(reserving=1), clause="b")
    queue.admit(workload)
    always(workload.is_admitted, clause="b")


LABEL = "kueue.x-k8s.io/prebuilt-workload-name"


@scenario(
    "ADM-712",
    "a Job takes the prebuilt Workload of its namespace, and not one of that name in another",
    requirement="kep-993#every-check-required",
    shows="AC-331 Q-002",
    cases=pairwise(age=AGES),
    clauses={
        "a": "it waits while there is none in its namespace, and the other one is not touched",
        "b": "it runs with the one of its namespace",
    },
)
def test_namesake_of_a_prebuilt_workload(kueue_cluster, age):
    queue, name = kueue_cluster.make_queue(checks=1), kueue_cluster.names.name("workload")
    other = kueue_cluster.make_namesake_of(queue)
    submits = {
        "older": lambda: (
            other.submit(name=name, cpu="1"),
            queue.submit("job", labels={LABEL: name}, cpu="1"),
        ),
        "younger": lambda: (
            queue.submit("job", labels={LABEL: name}, cpu="1"),
            other.submit(name=name, cpu="1"),
        )[::-1],
    }
    namesake, named = submits[age]()
    job = kueue_cluster.job_of(named)
    within("reserve", namesake.is_prechecked)
    always(lambda: job.is_suspended() and named.is_gone() and namesake.is_prechecked(), clause="a")

    workload = queue.submit(name=name, podSets=[{"name": "main", "count": 1, "template": job.template}])

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks), clause="b")
    queue.admit(workload)
    within("settle", job.is_started, clause="b")
    always(lambda: workload.is_admitted() and namesake.is_prechecked(), clause="b")
