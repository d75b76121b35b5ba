"""ADM: what a change of a ResourceFlavor does to what waits for it (Q-050, Q-051, Q-156)."""

from kueue_conformance import always, rows, scenario, within

TAINT = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}
TOLERATION = {"key": TAINT["key"], "operator": "Exists"}
FAST, SLOW = {"example.com/speed": "fast"}, {"example.com/speed": "slow"}


@scenario(
    "ADM-446",
    "a Workload that no flavor suits is tried again when a change of a flavor makes it suitable",
    requirement="kep-993#stage-one",
    shows="Q-050 Q-051 Q-156",
    since="0.19",
    also=("kep993",),
    cases=rows(
        "example strategy first second",
        ("taint-is-taken-away", "BestEffortFIFO", {"nodeTaints": [TAINT]}, {"nodeTaints": None}),
        ("taint-is-tolerated", "StrictFIFO", {"nodeTaints": [TAINT]}, {"tolerations": [TOLERATION]}),
        ("label-is-another", "BestEffortFIFO", {"nodeLabels": SLOW}, {"nodeLabels": FAST}),
    ),
    clauses={
        "a": "it waits, also when another flavor changes",
        "b": "it is admitted on the flavor that suits it now",
    },
)
def test_changed_flavor_wakes_what_waits(kueue_cluster, clock, example, strategy, first, second):
    flavor, other = kueue_cluster.make_flavor(**first), kueue_cluster.make_flavor(nodeTaints=[TAINT])
    queue = kueue_cluster.make_queue(flavors=[flavor], queueingStrategy=strategy)
    workload = queue.submit(template={"nodeSelector": FAST})
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    clock.advance_budget("react")

    kueue_cluster.change_flavor(other, nodeTaints=None)
    always(workload.is_suspended, clause="a")
    kueue_cluster.change_flavor(flavor, **second)

    within("requeue", lambda: workload.is_admitted() and workload.has_flavor(flavor), clause="b")
