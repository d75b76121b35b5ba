"""QUE: every form of a selector: of namespaces, of nodes, and of taints (Q-065, Q-156, Q-158, Q-159)."""

from kueue_conformance import always, cross, scenario, within

TEAM, TIER, NOWHERE = "example.com/team", "example.com/tier", "example.com/nowhere"
LABELS = {TEAM: "blue", TIER: "2"}
"""The labels of the namespace."""


def on(key, operator, *values):
    """Return a requirement of a selector."""
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


def where(*requirements, **labels):
    """Return a label selector of requirements, and of a team or a tier."""
    named = {{"team": TEAM, "tier": TIER}[name]: value for name, value in labels.items()}
    return {
        **({"matchLabels": named} if named else {}),
        **({"matchExpressions": list(requirements)} if requirements else {}),
    }


SELECTED = {
    "empty": {},
    "label": where(team="blue"),
    "every-label": where(team="blue", tier="2"),
    "in": where(on(TEAM, "In", "red", "blue")),
    "not-in": where(on(TEAM, "NotIn", "red", "green")),
    "not-in-without-the-label": where(on(NOWHERE, "NotIn", "red")),
    "exists": where(on(TEAM, "Exists")),
    "does-not-exist": where(on(NOWHERE, "DoesNotExist")),
    "several": where(on(TEAM, "In", "blue"), on(TIER, "NotIn", "3"), on(NOWHERE, "DoesNotExist")),
    "label-and-requirement": where(on(TIER, "Exists"), team="blue"),
}
NOT_SELECTED = {
    "absent": None,
    "other-value": where(team="Blue"),
    "one-label-of-two": where(team="blue", tier="3"),
    "in-others": where(on(TEAM, "In", "red", "green")),
    "in-without-the-label": where(on(NOWHERE, "In", "blue")),
    "not-in-its-own": where(on(TEAM, "NotIn", "red", "blue")),
    "exists-nowhere": where(on(NOWHERE, "Exists")),
    "does-exist": where(on(TEAM, "DoesNotExist")),
    "last-of-several": where(on(TEAM, "Exists"), on(TIER, "In", "2"), on(NOWHERE, "Exists")),
    "first-of-several": where(on(TEAM, "NotIn", "blue"), on(TIER, "In", "2")),
    "label-and-other-requirement": where(on(TIER, "DoesNotExist"), team="blue"),
    "requirement-and-other-label": where(on(TIER, "Exists"), team="red"),
}


@scenario(
    "QUE-620",
    "a ClusterQueue admits from a namespace when every label and every requirement of its selector holds",
    requirement="kueue-docs#namespace-selector",
    shows="Q-065 Q-214",
    cases=cross(selector=tuple(SELECTED)),
    clauses={"a": "the Workload is admitted"},
)
def test_selector_selects(kueue_cluster, selector):
    kueue_cluster.label_namespace(LABELS)
    queue = kueue_cluster.make_queue(namespaceSelector=SELECTED[selector])

    workload = queue.submit()

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "QUE-621",
    "a ClusterQueue admits nothing from a namespace when it has no selector, or a part of its selector does not hold",
    requirement="kueue-docs#namespace-selector",
    shows="Q-065 Q-214",
    cases=cross(selector=tuple(NOT_SELECTED)),
    clauses={"a": "the Workload waits", "b": "until the selector is one that holds"},
)
def test_selector_does_not_select(kueue_cluster, selector):
    kueue_cluster.label_namespace(LABELS)
    queue = kueue_cluster.make_queue(namespaceSelector=NOT_SELECTED[selector])

    workload = queue.submit()

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: workload.is_suspended() and queue.shows_reserved("0"), clause="a")
    queue.try_to_change(namespaceSelector={})
    within("requeue", workload.is_admitted, clause="b")


ZONE, SIZE, FIRST, SECOND = "example.com/zone", "example.com/size", "first", "second"
NODES = {FIRST: {ZONE: "a", SIZE: "4"}, SECOND: {ZONE: "b", SIZE: "16"}}
ON_NODE = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}


def affinity(*terms, preferred=False):
    """Return the node affinity of a pod: each term a list of requirements."""
    selector_terms = [{"matchExpressions": list(term)} for term in terms]
    return {"affinity": {"nodeAffinity": prefer(selector_terms) if preferred else require(selector_terms)}}


def require(terms):
    """Return the node affinity that a node must meet: one of the terms."""
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


def prefer(terms):
    """Return the node affinity that a node should meet."""
    weighted = [{"weight": 100, "preference": term} for term in terms]
    return {"preferredDuringSchedulingIgnoredDuringExecution": weighted}


def on_fields(*requirements):
    """Return the node affinity of a pod by the name of a node, and by requirements in the same term."""
    expressions = {"matchExpressions": list(requirements)} if requirements else {}
    return {"affinity": {"nodeAffinity": require([{"matchFields": [ON_NODE], **expressions}])}}


PODS = {
    "selector": ({"nodeSelector": {ZONE: "b"}}, SECOND),
    "every-label-of-a-selector": ({"nodeSelector": {ZONE: "b", SIZE: "16"}}, SECOND),
    "selector-of-no-flavor": ({"nodeSelector": {NOWHERE: "b"}}, FIRST),
    "selector-of-both": ({"nodeSelector": {ZONE: "b", SIZE: "4"}}, None),
    "in": (affinity([on(ZONE, "In", "b", "c")]), SECOND),
    "in-both": (affinity([on(ZONE, "In", "b", "a")]), FIRST),
    "not-in": (affinity([on(ZONE, "NotIn", "c", "a")]), SECOND),
    "exists": (affinity([on(ZONE, "Exists")]), FIRST),
    "does-not-exist": (affinity([on(ZONE, "DoesNotExist")]), None),
    "greater": (affinity([on(SIZE, "Gt", "8")]), SECOND),
    "greater-than-its-own": (affinity([on(SIZE, "Gt", "4")]), SECOND),
    "less": (affinity([on(SIZE, "Lt", "16")]), FIRST),
    "less-than-its-own": (affinity([on(SIZE, "Lt", "4")]), None),
    "second-of-two-terms": (affinity([on(ZONE, "In", "c")], [on(ZONE, "In", "b")]), SECOND),
    "last-of-three-terms": (affinity(*([on(ZONE, "In", zone)] for zone in "dcb")), SECOND),
    "every-requirement-of-a-term": (affinity([on(ZONE, "Exists"), on(SIZE, "Gt", "8")]), SECOND),
    "no-term-of-two": (affinity([on(ZONE, "In", "a"), on(SIZE, "In", "16")], [on(ZONE, "In", "c")]), None),
    "preferred": (affinity([on(ZONE, "In", "b")], preferred=True), FIRST),
    "selector-and-affinity": ({"nodeSelector": {ZONE: "b"}, **affinity([on(ZONE, "In", "a")])}, None),
    "key-of-no-flavor": (affinity([on(NOWHERE, "In", "b")]), FIRST),
    "key-of-no-flavor-in-a-term": (affinity([on(NOWHERE, "In", "b"), on(ZONE, "In", "b")]), SECOND),
    "term-of-no-flavor": (affinity([on(ZONE, "In", "b")], [on(NOWHERE, "Exists")]), FIRST),
    "field": (on_fields(), FIRST),
    "field-and-requirement": (on_fields(on(ZONE, "In", "b")), SECOND),
}
"""Pods, and the flavor that they get; None where they wait."""


@scenario(
    "QUE-622",
    "pods get the first flavor whose labels their node selector and one term of their required affinity accept",
    requirement="kueue-docs#flavors-in-order",
    shows="Q-156 Q-159",
    cases=cross(pods=tuple(name for name, (_, flavor) in PODS.items() if flavor)),
    clauses={"a": "that flavor is assigned, and no other"},
)
def test_flavor_by_its_labels(kueue_cluster, pods):
    flavors = {name: kueue_cluster.make_flavor(nodeLabels=labels) for name, labels in NODES.items()}
    queue = kueue_cluster.make_queue(flavors=list(flavors.values()))
    spec, flavor = PODS[pods]

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec, cpu="1")])

    usage = {"flavors": {"cpu": flavors[flavor]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "QUE-623",
    "pods wait when no flavor has labels that their node selector and their required affinity accept",
    requirement="kueue-docs#flavors-in-order",
    shows="Q-156 Q-159",
    cases=cross(pods=tuple(name for name, (_, flavor) in PODS.items() if not flavor)),
    clauses={"a": "the Workload waits"},
)
def test_no_flavor_by_its_labels(kueue_cluster, pods):
    flavors = [kueue_cluster.make_flavor(nodeLabels=labels) for labels in NODES.values()]
    queue = kueue_cluster.make_queue(flavors=flavors)
    spec, _ = PODS[pods]

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec, cpu="1")])

    within("settle", lambda: workload.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: workload.is_suspended() and queue.shows_reserved("0"), clause="a")


TAINT = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}
EXECUTE, PREFER = ({**TAINT, "effect": effect} for effect in ("NoExecute", "PreferNoSchedule"))
OTHER = {**TAINT, "key": "example.com/other"}
BARE = {"key": TAINT["key"], "effect": "NoSchedule"}
VALUE = {"key": TAINT["key"], "value": "yes"}
KEY = {"key": TAINT["key"], "operator": "Exists"}
ANY = {"operator": "Exists"}
TOLERATIONS = {
    # Taints of the first flavor, tolerations of the pods and of the flavor, and the flavor that they get.
    "preferred": ([PREFER], [], [], FIRST),
    "preferred-beside-another": ([PREFER, TAINT], [], [], SECOND),
    "no-execute": ([EXECUTE], [], [], SECOND),
    "any-taint": ([TAINT, OTHER, EXECUTE], [ANY], [], FIRST),
    "any-taint-of-another-effect": ([TAINT], [{**ANY, "effect": "NoExecute"}], [], SECOND),
    "any-taint-of-the-effect": ([TAINT, OTHER], [{**ANY, "effect": "NoSchedule"}], [], FIRST),
    "any-effect": ([TAINT, EXECUTE], [{**VALUE, "operator": "Equal"}], [], FIRST),
    "operator-is-equal": ([TAINT], [{**VALUE, "effect": "NoSchedule"}], [], FIRST),
    "operator-is-equal-to-another": ([TAINT], [{**VALUE, "value": "no"}], [], SECOND),
    "value-is-empty": ([BARE], [{"key": BARE["key"], "operator": "Equal"}], [], FIRST),
    "value-is-empty-for-another": ([TAINT], [{"key": BARE["key"], "operator": "Equal"}], [], SECOND),
    "for-some-seconds": ([EXECUTE], [{**KEY, "effect": "NoExecute", "tolerationSeconds": 1}], [], FIRST),
    "key-of-another-effect": ([EXECUTE], [{**KEY, "effect": "NoSchedule"}], [], SECOND),
    "first-of-two": ([TAINT, OTHER], [KEY], [], SECOND),
    "second-of-two": ([OTHER, TAINT], [KEY], [], SECOND),
    "both-of-two": ([TAINT, OTHER], [KEY, {**KEY, "key": OTHER["key"]}], [], FIRST),
    "last-of-three": ([TAINT], [{**KEY, "key": "a"}, {**KEY, "key": "b"}, KEY], [], FIRST),
    "flavor": ([TAINT], [], [KEY], FIRST),
    "flavor-and-pods": ([TAINT, OTHER], [{**KEY, "key": OTHER["key"]}], [KEY], FIRST),
    "flavor-another": ([TAINT], [], [{**KEY, "key": OTHER["key"]}], SECOND),
}


@scenario(
    "QUE-624",
    "pods get the first flavor whose taints they, or the flavor for them, tolerate",
    requirement="kueue-docs#flavors-in-order",
    shows="Q-156 Q-158",
    cases=cross(tolerated=tuple(TOLERATIONS)),
    clauses={"a": "that flavor is assigned, and no other"},
)
def test_flavor_by_its_taints(kueue_cluster, tolerated):
    taints, of_pods, of_flavor, expected = TOLERATIONS[tolerated]
    flavors = {
        FIRST: kueue_cluster.make_flavor(nodeTaints=taints, tolerations=of_flavor),
        SECOND: kueue_cluster.make_flavor(),
    }
    queue = kueue_cluster.make_queue(flavors=list(flavors.values()))
    pod_set = kueue_cluster.pod_set("main", spec={"tolerations": of_pods}, cpu="1")

    workload = queue.submit(podSets=[pod_set])

    usage = {"flavors": {"cpu": flavors[expected]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")
