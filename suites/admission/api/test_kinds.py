"""ADM: the kinds that Kueue serves, their names, and what stands
before their writes (AC-002, AC-004, AC-006, AC-180, AC-185).
"""

from kueue_conformance import cross, scenario

NAMES = {
    "AdmissionCheck": (("ac",), True),
    "ClusterQueue": (("cq",), True),
    "Cohort": (("co",), True),
    "LocalQueue": (("lq", "queue", "queues"), True),
    "ResourceFlavor": (("flavor", "flavors", "rf"), False),
    "Workload": (("kueueworkload", "kueueworkloads", "kwl"), True),
    "WorkloadPriorityClass": (("wpc",), False),
}
CONVERTED = {"ClusterQueue", "Cohort", "LocalQueue", "Workload"}
VALIDATED = {
    "vworkload.kb.io": {"workloads", "workloads/status"},
    "vclusterqueue.kb.io": {"clusterqueues"},
    "vresourceflavor.kb.io": {"resourceflavors"},
    "vcohort.kb.io": {"cohorts"},
}
FILLED_IN = {
    "mworkload.kb.io": {"workloads"},
    "mclusterqueue.kb.io": {"clusterqueues"},
    "mresourceflavor.kb.io": {"resourceflavors"},
}
UNCHECKED = {"admissionchecks", "localqueues", "workloadpriorityclasses"}


@scenario(
    "ADM-466",
    "each kind has its short names, belongs to no category, and has a status of its own where it has one",
    requirement="kueue-api#kinds",
    shows="AC-002 AC-180 AC-185",
    since="0.15",
    cases=cross(kind=tuple(NAMES)),
    clauses={"a": "its short names", "b": "no category", "c": "its status"},
)
def test_names_of_a_kind(kueue_cluster, kind):
    names, has_status = NAMES[kind]

    served = kueue_cluster.discovery_entry(kind)

    assert sorted(served.get("shortNames", ())) == sorted(names), f"a: {served}"
    assert not served.get("categories"), f"b: {served}"
    assert served["hasStatus"] == has_status, f"c: {served}"


@scenario(
    "ADM-467",
    "Kueue converts the kinds whose versions differ, the server the others",
    requirement="kueue-api#kinds",
    shows="AC-004",
    since="0.15",
    needs=("webhooks",),
    cases=cross(kind=tuple(NAMES)),
    clauses={"a": "by a webhook, or not at all"},
)
def test_conversion_of_a_kind(kueue_cluster, kind):
    definition = kueue_cluster.definition_of(kind)

    strategy = definition["spec"].get("conversion", {}).get("strategy", "None")
    assert strategy == ("Webhook" if kind in CONVERTED else "None"), f"a: {strategy}"


def rules_by_webhook(hooks, names):
    """Return which resources these webhooks are called for, and when."""
    return {
        name: [(set(rule["resources"]), set(rule["operations"])) for rule in hooks[name]["rules"]]
        for name in names
        if name in hooks
    }


def whenever(expected, *operations):
    return {name: [(resources, set(operations))] for name, resources in expected.items()}


@scenario(
    "ADM-468",
    "webhooks stand before the writes of some kinds, and a write fails where they do not answer",
    requirement="kueue-api#rules",
    shows="AC-006",
    since="0.15",
    needs=("webhooks",),
    level="should",
    clauses={
        "a": "which writes are validated",
        "b": "which writes are defaulted",
        "c": "a write fails with them",
        "d": "the other writes have no webhook",
    },
)
def test_webhooks_of_kinds(kueue_cluster):
    validating, mutating = (kueue_cluster.webhooks(which) for which in ("validating", "mutating"))

    assert rules_by_webhook(validating, VALIDATED) == whenever(VALIDATED, "CREATE", "UPDATE"), (
        f"a: {validating}"
    )
    assert rules_by_webhook(mutating, FILLED_IN) == whenever(FILLED_IN, "CREATE"), f"b: {mutating}"
    hooks = {name: hook for webhooks in (validating, mutating) for name, hook in webhooks.items()}
    ours = [hooks[name] for name in (*VALIDATED, *FILLED_IN)]
    assert all(hook["failurePolicy"] == "Fail" for hook in ours), "c: a write fails with them"
    judged = {resource for hook in hooks.values() for rule in hook["rules"] for resource in rule["resources"]}
    assert not judged & UNCHECKED, f"d: {judged & UNCHECKED}"
