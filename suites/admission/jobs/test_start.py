"""ADM: starting a Job when something is missing that it needs for it, and stopping one in several writes
(AC-333, AC-336, AC-366, AC-425).
"""

from kueue_conformance import always, scenario, within


@scenario(
    "ADM-451",
    "a Job whose flavor is missing when it is admitted starts when the flavor is created again",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-366 AC-425",
    since="0.6",
    level="should",
    clauses={
        "a": "it is admitted, does not start, and has not failed",
        "b": "it starts on the nodes of its flavor",
    },
)
def test_flavor_is_missing_at_the_start(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload, (flavor,) = queue.submit_until("prechecked", "job"), queue.flavors
    job = kueue_cluster.job_of(workload)
    kueue_cluster.force_delete_flavor(flavor)
    within("settle", lambda: kueue_cluster.has_no_flavor(flavor) and queue.is_inactive("FlavorNotFound"))

    queue.checks[0].answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="a")
    always(
        lambda: job.is_suspended() and workload.is_admitted() and workload.is_finished().negate(), clause="a"
    )
    kueue_cluster.make_flavor_named(flavor)
    within("requeue", job.is_started, clause="b")
    within(
        "settle", lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(flavor)), clause="b"
    )


@scenario(
    "ADM-591",
    "a Job whose stop is interrupted has a mark of the stop, and is restored when writes succeed again",
    requirement="kep-993#green-light",
    shows="AC-336 AC-367",
    since="0.19",
    level="should",
    needs=("virtual time", "faults of Kueue"),
    clauses={
        "a": "a fault is met",
        "b": "it is suspended and marked, and keeps what else is noted on it",
        "c": "then it is stopped, with the template that it had",
    },
)
def test_stop_is_interrupted(kueue_cluster, controller_faults):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job", annotations={"example.com/team": "blue"})
    job = kueue_cluster.job_of(workload)
    before = job.template
    queue.admit(workload)
    within("admit", lambda: job.is_started() and job.has_template(before).negate())
    job.set_pods(active=1)
    controller_faults.refuse_writes("Job/status", 500)

    queue.hold_and_drain()

    within("settle", controller_faults.have_struck, clause="a")
    within(
        "settle",
        lambda: job.is_being_stopped() and job.has_annotation("example.com/team", "blue"),
        clause="b",
    )
    job.set_pods(active=0)
    controller_faults.remove_all()
    within(
        "recover",
        lambda: (
            job.is_stopped() and job.has_template(before) and job.has_annotation("example.com/team", "blue")
        ),
        clause="c",
    )
