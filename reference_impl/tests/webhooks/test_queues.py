"""ClusterQueues and Cohorts that are refused, and in which words (AC-030…046, AC-185, SC-171)."""

import pytest

from .objects import amount, group, messages_of, obj

QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"
NAME = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)


def quotas(*groups, **amounts):
    return {"resourceGroups": list(groups), **amounts}


def one(**limits):
    return group(["cpu"], f=[amount(**limits)])


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        pytest.param({}, [], id="nothing offered"),
        pytest.param(quotas(one(nominal="0")), [], id="zero"),
        pytest.param(
            quotas(one(nominal="-1")),
            [f'{QUOTA}.nominalQuota: Invalid value: "-1": must be greater than or equal to 0'],
            id="AC-033 negative",
        ),
        pytest.param(
            quotas(one(borrowingLimit="-2"), cohortName="c"),
            [f'{QUOTA}.borrowingLimit: Invalid value: "-2": must be greater than or equal to 0'],
            id="AC-033 negative limit",
        ),
        pytest.param(
            quotas(one(lendingLimit="2"), cohortName="c"),
            [f'{QUOTA}.lendingLimit: Invalid value: "2": must be less than or equal to the nominalQuota'],
            id="AC-033 lends more than it has",
        ),
        pytest.param(
            quotas(one(lendingLimit="1000m")),
            [f'{QUOTA}.lendingLimit: Invalid value: "1": must be nil when cohort is empty'],
            id="AC-033 lends without a cohort",
        ),
        pytest.param(
            quotas(group(["cpu", "memory"], f=[amount("memory"), amount("cpu")])),
            [
                f'{QUOTA}.name: Invalid value: "memory": must match the name in coveredResources',
                'spec.resourceGroups[0].flavors[0].resources[1].name: Invalid value: "cpu": must match the name in coveredResources',
            ],
            id="AC-030 order",
        ),
        pytest.param(
            quotas(group(["@x"], f=[amount("@x")])),
            [f'spec.resourceGroups[0].coveredResources[0]: Invalid value: "@x": {NAME}'],
            id="AC-030 no name of a resource",
        ),
        pytest.param(
            quotas(one(), group(["cpu"], g=[amount()])),
            ['spec.resourceGroups[1].coveredResources[0]: Duplicate value: "cpu"'],
            id="AC-030 a resource twice",
        ),
        pytest.param(
            quotas(one(), group(["memory"], f=[amount("memory")])),
            ['spec.resourceGroups[1].flavors[0].name: Duplicate value: "f"'],
            id="AC-030 a flavor twice",
        ),
        pytest.param(
            {"namespaceSelector": {"matchLabels": {"bad key!": "x"}}},
            [f'spec.namespaceSelector.matchLabels: Invalid value: "bad key!": {NAME}'],
            id="AC-036 label",
        ),
        pytest.param(
            {"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}},
            [
                "spec.namespaceSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"
            ],
            id="AC-036 no values",
        ),
        pytest.param(
            {
                "namespaceSelector": {
                    "matchExpressions": [{"key": "a", "operator": "Exists", "values": ["v"]}]
                }
            },
            [
                "spec.namespaceSelector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            ],
            id="AC-036 values for nothing",
        ),
        pytest.param(
            {"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "Nope"}]}},
            [
                'spec.namespaceSelector.matchExpressions[0].operator: Invalid value: "Nope": not a valid selector operator'
            ],
            id="AC-036 operator",
        ),
        pytest.param(
            {"fairSharing": {"weight": "-1"}},
            ['spec.fairSharing: Invalid value: "-1": must be greater than or equal to 0'],
            id="AC-044 negative",
        ),
        pytest.param(
            {"fairSharing": {"weight": "1n"}},
            ['spec.fairSharing: Invalid value: "1n": When not 0, weight must be > 10e-9'],
            id="AC-044 next to nothing",
        ),
        pytest.param({"fairSharing": {"weight": "0"}}, [], id="AC-044 nothing"),
    ],
)
def test_a_cluster_queue_is_judged(spec, texts):
    assert messages_of("ClusterQueue", obj(spec)) == texts


@pytest.mark.parametrize(
    ("groups", "path", "text"),
    [
        pytest.param(
            [group([f"r{i}"], **{f"f{i}-{j}": [amount(f"r{i}")] for j in range(64)}) for i in range(5)],
            "spec.resourceGroups",
            "Invalid value: 320: total number of flavors across all resourceGroups must be ≤ 256, got 320",
            id="flavors",
        ),
        pytest.param(
            [group([f"r{i}-{j}" for j in range(64)]) for i in range(5)],
            "spec.resourceGroups",
            "Invalid value: 320: total number of covered resources across all resourceGroups must be ≤ 256, got 320",
            id="resources",
        ),
        pytest.param(
            [
                group(
                    [f"r{j}" for j in range(64)],
                    **{f"f{i}": [amount(f"r{j}") for j in range(64)] for i in range(9)},
                )
            ],
            "spec.resourceGroups[0]",
            "Invalid value: 576: number of flavor-resource combinations in a resourceGroup must be ≤ 512, got 576",
            id="combinations",
        ),
    ],
)
def test_too_much_of_anything(groups, path, text):
    """AC-030."""
    assert messages_of("ClusterQueue", obj(quotas(*groups))) == [f"{path}: {text}"]


def moving(mode=None):
    policy = {"concurrentAdmissionPolicy": {"migration": {"mode": mode}}} if mode else {}
    return obj(quotas(group(["cpu"], f=[amount()]), **policy))


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param("RetainFirstAdmission", "RetainFirstAdmission", [], id="the same"),
        pytest.param(
            "RetainFirstAdmission",
            "TryPreferredFlavors",
            [
                'spec.concurrentAdmissionPolicy: Invalid value: {"migration":{"mode":"TryPreferredFlavors"}}: field is immutable'
            ],
            id="another",
        ),
        pytest.param(
            "RetainFirstAdmission",
            None,
            ["spec.concurrentAdmissionPolicy: Invalid value: null: field is immutable"],
            id="taken away",
        ),
    ],
)
def test_how_several_flavors_are_tried_is_decided_once(old, new, texts):
    """AC-046."""
    assert messages_of("ClusterQueue", moving(new), moving(old)) == texts


def judge(*names, flavors=("f",)):
    strategy = {"admissionChecks": [{"name": "a", "onFlavors": list(names)}]}
    groups = group(["cpu"], **{flavor: [amount()] for flavor in flavors})
    return obj(quotas(groups, admissionChecksStrategy=strategy))


UNKNOWN = 'spec.admissionChecksStrategy.admissionChecks[0].onFlavors[0]: Unsupported value: "n": supported values: "f"'


def test_checks_are_for_flavors_of_the_queue():
    """AC-041."""
    assert messages_of("ClusterQueue", judge("n")) == [UNKNOWN]
    assert messages_of("ClusterQueue", judge("f")) == []


def test_older_releases_take_any_flavor():
    """AC-041: since v0.18."""
    assert messages_of("ClusterQueue", judge("n"), release=(0, 15)) == []


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        pytest.param(judge("n"), judge("n"), [], id="what was wrong stays"),
        pytest.param(judge("n", "f"), judge("f", "n"), [], id="in another order"),
        pytest.param(judge("m"), judge("n"), [UNKNOWN], id="wrong in another way"),
        pytest.param(judge("f"), judge("n"), [UNKNOWN], id="was right"),
        pytest.param(judge("n", flavors=("f", "g")), judge("n"), [UNKNOWN], id="the flavors changed as well"),
    ],
)
def test_what_was_wrong_before_may_stay(old, new, texts):
    """AC-041, SC-171."""
    assert messages_of("ClusterQueue", new, old) == texts


def test_what_was_wrong_before_may_not_stay_in_v0_20():
    """KV-37: whatever is changed."""
    assert messages_of("ClusterQueue", judge("n"), judge("n"), release=(0, 20, 0)) == [UNKNOWN]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        pytest.param(
            quotas(one(borrowingLimit="1")),
            [f'{QUOTA}.borrowingLimit: Invalid value: "1": must be nil when parent is empty'],
            id="no parent",
        ),
        pytest.param(quotas(one(lendingLimit="9"), parentName="p"), [], id="lends more than it has"),
    ],
)
def test_a_cohort_is_judged(spec, texts):
    """AC-185."""
    assert messages_of("Cohort", obj(spec)) == texts
