"""ADM: starting a Job when something is missing that it needs for it (AC-333, AC-366, AC-425)."""

from kueue_conformance import always, scenario, within


@scenario(
    "ADM-451", "a Job whose flavor is missing when it is admitted starts when the flavor is there again",
    requirement="docs-2024#admitted-when-ready", shows="AC-366 AC-425", since="0.6", level="should",
    clauses={"a": "it is admitted, does not start, and has not failed", "b": "it starts on the nodes of its flavor"},
)  # fmt: skip
def test_flavor_is_missing_at_the_start(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    workload, (flavor,) = queue.brings_to("prechecked", "job"), queue.flavors
    job = kueue_cluster.job_of(workload)
    kueue_cluster.lose_flavor(flavor)
    within("settle", lambda: kueue_cluster.flavor_is_gone(flavor) and queue.is_inactive("FlavorNotFound"))

    queue.checks[0].answers(workload, "Ready")

    within("admit", workload.is_admitted, clause="a")
    always(
        lambda: job.is_suspended() and workload.is_admitted() and workload.is_finished().denied(), clause="a"
    )
    kueue_cluster.create_flavor(flavor)
    within("requeue", job.is_started, clause="b")
    within(
        "settle", lambda: job.has_in_template("nodeSelector", kueue_cluster.node_selector(flavor)), clause="b"
    )
