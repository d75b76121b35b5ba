"""Workloads that are refused, and what of them may change (AC-092…127, AC-160…163, SC-162…173)."""

import pytest

from .objects import RESERVED, messages_of, pod_set, workload
from .test_queues import NAME

GATES = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]"
GATE = "kueue.x-k8s.io/admission-gated-by"
REQUESTS = "spec.podSets[0].template.spec.containers[0].resources.requests"
SLICES = "spec.podSets[0].topologyRequest."
SLICE, SIZE = "podSetSliceRequiredTopology", "podSetSliceSize"
LAYERS = "podsetSliceRequiredTopologyConstraints"
PREFIXED = 'must be a domain-prefixed path (such as "acme.io/foo")'


def admission(count=3, name="main", usage="3"):
    assignment = {"name": name, "count": count, "resourceUsage": {"cpu": usage}, "flavors": {"cpu": "f"}}
    return {"clusterQueue": "cq", "podSetAssignments": [assignment]}


def reserve(*pod_sets, **status):
    return workload(*pod_sets, conditions=[RESERVED], **{"admission": admission(), **status})


def gate(text):
    return workload(annotations={GATE: text} if text else None)


@pytest.mark.parametrize(
    ("pod_sets", "texts"),
    [
        pytest.param([pod_set(requests={"cpu": "1"})], [], id="fine"),
        pytest.param(
            [pod_set(requests={"pods": "1"})],
            [f'{REQUESTS}[pods]: Invalid value: "pods": the key is reserved for internal kueue use'],
            id="AC-092 reserved",
        ),
        pytest.param(
            [pod_set(requests={"cpu": "-1"})],
            [f'{REQUESTS}[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
            id="AC-092 negative",
        ),
        pytest.param(
            [pod_set(metadata={"labels": {"bad key!": "x"}})],
            [f'spec.podSets[0].template.metadata.labels: Invalid value: "bad key!": {NAME}'],
            id="AC-092 label",
        ),
        pytest.param(
            [pod_set(metadata={"annotations": {"bad key!": "x"}})],
            [f'spec.podSets[0].template.metadata.annotations: Invalid value: "bad key!": {NAME}'],
            id="AC-092 annotation",
        ),
        pytest.param(
            [pod_set(minCount=1), pod_set("b", minCount=1)],
            ["spec.podSets: Invalid value: 2: at most one podSet can use minCount"],
            id="AC-094",
        ),
        *(
            pytest.param(
                [pod_set(topologyRequest=request)], [f"{SLICES}{text}"] if text else [], id=f"KV-24 {id_}"
            )
            for id_, request, text in (
                ("both", {SLICE: "rack", SIZE: 1}, ""),
                (
                    "no size",
                    {SLICE: "rack"},
                    f"{SIZE}: Required value: must be set when {SLICE} is specified",
                ),
                (
                    "no topology",
                    {SIZE: 1},
                    f"{SIZE}: Forbidden: may not be set when {SLICE} is not specified",
                ),
                ("too small", {SLICE: "rack", SIZE: 0}, f"{SIZE}: Invalid value: 0: must be greater than 0"),
                (
                    "layer",
                    {LAYERS: [{"size": 0}]},
                    f"{LAYERS}[0].size: Invalid value: 0: must be greater than 0",
                ),
            )
        ),
    ],
)
def test_what_is_asked_for(pod_sets, texts):
    assert messages_of("Workload", workload(*pod_sets)) == texts


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        pytest.param("a.b/c,d.e/f", [], id="two"),
        pytest.param(
            "a" * 64,
            [
                f'{GATES}: Invalid value: "{"a" * 64}": {PREFIXED}',
                f"{GATES}: Too long: may not be more than 63 bytes",
            ],
            id="long",
        ),
        pytest.param(
            "a.b/c,,d.e/f",
            [f'{GATES}: Invalid value: "a.b/c,,d.e/f": cannot contain empty gate names'],
            id="empty",
        ),
        pytest.param(
            "a.b/c,a.b/c",
            [f'{GATES}: Invalid value: "a.b/c,a.b/c": duplicate gate name: a.b/c'],
            id="twice",
        ),
    ],
)
def test_gates_are_names(text, texts):
    """AC-163, C-19, SC-173."""
    assert messages_of("Workload", gate(text)) == texts


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param("a.b/c,a.b/d", "a.b/d", [], id="one is lifted"),
        pytest.param("a.b/c", "", [], id="the last is lifted"),
        pytest.param(
            "a.b/c",
            "a.b/c,a.b/d",
            [f"{GATES}: Forbidden: can only remove gates, not add new ones"],
            id="added",
        ),
        pytest.param(
            "", "a.b/c", [f"{GATES}: Forbidden: cannot add admission gate after creation"], id="late"
        ),
    ],
)
def test_gates_only_shrink(old, new, texts):
    """AC-163, SC-173."""
    assert messages_of("Workload", gate(new), gate(old)) == texts


ADMISSION_MISSING = "status.admission: Required value: must be set while the QuotaReserved condition is true"


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param(workload(), reserve(), [], id="AC-111 set"),
        pytest.param(reserve(), workload(), [], id="AC-111 taken back"),
        pytest.param(workload(), workload(conditions=[RESERVED]), [ADMISSION_MISSING], id="AC-113 SC-163"),
        pytest.param(reserve(), workload(conditions=[RESERVED]), [ADMISSION_MISSING], id="AC-113 cleared"),
        pytest.param(
            workload(conditions=[RESERVED]), workload(conditions=[RESERVED]), [], id="AC-113 already so"
        ),
        pytest.param(
            workload(),
            reserve(admission=admission(name="zz")),
            ['status.admission.podSetAssignments[0].name: Not found: "zz"'],
            id="AC-112 unknown podSet",
        ),
        pytest.param(
            workload(),
            reserve(admission=admission(usage="1001m", count=2)),
            [
                'status.admission.podSetAssignments[0].resourceUsage[cpu]: Invalid value: "1001m": is not a multiple of 2'
            ],
            id="AC-112 not the same for each pod",
        ),
    ],
)
def test_a_reservation(old, new, texts):
    """AC-111…113, SC-163, SC-165."""
    assert messages_of("Workload", new, old) == texts


def test_a_reservation_is_not_changed():
    """AC-111, SC-165."""
    (text,) = messages_of("Workload", reserve(admission=admission(usage="6")), reserve())

    assert text.startswith("status.admission: Invalid value: {")
    assert text.endswith("field is immutable")


def test_its_topology_may_come_later():
    """AC-111."""
    later = admission()
    later["podSetAssignments"][0]["topologyAssignment"] = {"levels": ["host"], "slices": []}

    assert messages_of("Workload", reserve(admission=later), reserve()) == []


def test_what_is_asked_for_stays_while_quota_is_held():
    """AC-161, C-18, SC-166."""
    (text,) = messages_of("Workload", reserve(pod_set(count=2)), reserve())

    assert text.startswith("spec.podSets.0: Invalid value: {")
    assert text.endswith("field is immutable")


def test_what_is_asked_for_is_free_before():
    """AC-161, SC-166."""
    assert messages_of("Workload", workload(pod_set(count=2)), workload()) == []


def pods(count):
    return {"reclaimablePods": [{"name": "main", "count": count}]}


PODS = "status.reclaimablePods[main]"


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param(reserve(**pods(1)), reserve(**pods(2)), [], id="more"),
        pytest.param(
            reserve(),
            reserve(**pods(4)),
            [f"{PODS}.count: Invalid value: 4: should be less or equal to 3"],
            id="more than there are",
        ),
        pytest.param(
            reserve(**pods(2)),
            reserve(**pods(1)),
            [f"{PODS}.count: Invalid value: 1: cannot be less than 2"],
            id="less",
        ),
        pytest.param(
            reserve(**pods(2)), reserve(), [f"{PODS}: Required value: cannot be removed"], id="gone"
        ),
        pytest.param(workload(**pods(2)), workload(**pods(0)), [], id="none while nothing is held"),
        pytest.param(
            workload(),
            workload(reclaimablePods=[{"name": "zz", "count": 1}]),
            ['status.reclaimablePods[zz].name: Unsupported value: "zz": supported values: "main"'],
            id="of an unknown podSet",
        ),
    ],
)
def test_pods_given_back(old, new, texts):
    """AC-115, SC-169."""
    assert messages_of("Workload", new, old) == texts


def check(state="Ready", **update):
    updates = [{"name": "main", **update}] if update else []
    return {"name": "c", "state": state, "message": "", "podSetUpdates": updates}


UPDATE = "status.admissionChecks[0].podSetUpdates[0]"


@pytest.mark.parametrize(
    ("update", "texts"),
    [
        pytest.param({"labels": {"a": "b"}, "nodeSelector": {"c": "d"}}, [], id="fine"),
        pytest.param(
            {"name": "n", "labels": {"a": "b"}},
            [f'{UPDATE}.name: Unsupported value: "n": supported values: "main"'],
            id="AC-124",
        ),
        pytest.param(
            {"nodeSelector": {"bad key!": "b"}},
            [f'{UPDATE}.nodeSelector: Invalid value: "bad key!": {NAME}'],
            id="AC-125 selector",
        ),
        pytest.param(
            {"annotations": {"UPPER": "b"}},
            [],
            id="AC-125 annotations in capitals",
        ),
        pytest.param(
            {"tolerations": [{"key": "bad key!", "value": "x"}]},
            [f'{UPDATE}.tolerations[0].key: Invalid value: "bad key!": {NAME}'],
            id="AC-126",
        ),
    ],
)
def test_what_checks_change_in_pods(update, texts):
    """AC-124…126, SC-162."""
    assert messages_of("Workload", workload(admissionChecks=[check(**update)]), workload()) == texts


IMMUTABLE = "status.admissionChecks[0].podSetUpdates: Invalid value"


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        pytest.param(check(labels={"a": "b"}), check(labels={"a": "c"}), 1, id="changed"),
        pytest.param(check(labels={"a": "b"}), check(), 1, id="left out"),
        pytest.param(check(labels={"a": "b"}), {**check(labels={"a": "b"}), "message": "m"}, 0, id="message"),
        pytest.param(check("Pending"), check(labels={"a": "c"}), 0, id="on the way to Ready"),
        pytest.param(check(labels={"a": "b"}), check("Retry"), 0, id="on the way from Ready"),
    ],
)
def test_what_was_said_with_ready_stands(before, after, count):
    """AC-127, SC-164."""
    texts = messages_of("Workload", workload(admissionChecks=[after]), workload(admissionChecks=[before]))

    assert [text.startswith(IMMUTABLE) for text in texts] == [True] * count


@pytest.mark.parametrize(
    ("nominated", "texts"),
    [
        pytest.param(["a", "b"], [], id="nominated"),
        pytest.param(
            ["b"],
            [
                'status.clusterName: Invalid value: "a": when setting clusterName it must be one of the nominatedClusterNames'
            ],
            id="not nominated",
        ),
    ],
)
def test_a_cluster_is_one_of_the_nominated(nominated, texts):
    """AC-162."""
    new, old = workload(clusterName="a"), workload(nominatedClusterNames=nominated)

    assert messages_of("Workload", new, old) == texts


@pytest.mark.parametrize(
    ("release", "texts"),
    [
        ((0, 20, 7), []),
        ((0, 21, 0), ['status.admissionChecks[0].podSetUpdates[1].name: Duplicate value: "main"']),
    ],
)
def test_a_check_updates_a_pod_set_once(release, texts):
    """KV-36."""
    updates = [{"name": "main", "labels": {"a": "b"}}, {"name": "main", "nodeSelector": {"a": "b"}}]
    check = {"name": "c", "state": "Ready", "podSetUpdates": updates}

    assert messages_of("Workload", workload(admissionChecks=[check]), release=release) == texts
