"""Files of groups and failures: what is wrong in them is
named with its place, its value and what was expected.
"""

import pytest

from reference_impl.cloud.failures import FailureRule, Slow, Stockout
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.parsing import CloudFile, CloudFileError, cloud_of

WHOLE = """
groups:
- {id: ng-a, min: 1, max: 5, cpu: 4, memory: 16Gi, resources: {nvidia.com/gpu: 2}, labels: {pool: a}, zone: z1}
- {id: ng-b, boot_seconds: 1.5, taints: [{key: gpu, value: "yes", effect: NoSchedule}]}
failures:
- {action: stockout, succeed: 1, group: ng-a, times: 2}
- {action: slow, extra_seconds: 30, indexes: [0, 2], method: increase}
"""


def test_a_file_is_read():
    assert cloud_of(WHOLE) == CloudFile(
        [
            NodeGroupSpec(
                "ng-a",
                min=1,
                max=5,
                cpu="4",
                memory="16Gi",
                resources={"nvidia.com/gpu": "2"},
                labels={"pool": "a"},
                zone="z1",
            ),
            NodeGroupSpec(
                "ng-b", boot_seconds=1.5, taints=[{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]
            ),
        ],
        [
            FailureRule(Stockout(succeed=1), group="ng-a", times=2),
            FailureRule(Slow(30, indexes=[0, 2]), method="increase"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("groups: [", "no YAML: while parsing a flow node"),
        ("[]", "the file is []: expected a mapping"),
        ("group: []", "the file has 'group': expected 'groups'"),
        ("groups: 3", "groups is 3: expected a list"),
        ("groups: [3]", "groups[0] is 3: expected a mapping"),
        ("groups: [{max: 3}]", "groups[0] has no id: expected it"),
        ("groups: [{id: ng-a, flavor: 3}]", "groups[0] has 'flavor': expected one of allocatable"),
        ("groups: [{id: ng-a, boot_second: 3}]", "groups[0] has 'boot_second': expected 'boot_seconds'"),
        ("groups: [{id: ng-a, max: many}]", "groups[0].max is 'many': expected a whole number"),
        ("groups: [{id: ng-a, max: true}]", "groups[0].max is True: expected a whole number"),
        ("groups: [{id: NG}]", "groups[0].id is 'NG': expected a DNS label of at most 52 characters"),
        ("groups: [{id: ng-a, min: 3, max: 2}]", "groups[0].min is 3: expected 0 to max, which is 2"),
        ("groups: [{id: ng-a, max: 2, target: 3}]", "groups[0].target is 3: expected 0 to 2, min to max"),
        (
            "groups: [{id: ng-a, cpu: lots}]",
            "groups[0].resources.cpu is 'lots': expected a quantity such as 500m or 16Gi",
        ),
        ("groups: [{id: ng-a, boot_seconds: -1}]", "groups[0].boot_seconds is -1: expected 0 or more"),
        ("groups: [{id: ng-a, ready_seconds: .nan}]", "groups[0].ready_seconds is nan: expected 0 or more"),
        ("groups: [{id: ng-a, ready_seconds: .inf}]", "groups[0].ready_seconds is inf: expected 0 or more"),
        (
            "groups: [{id: ng-a, taints: [{key: a}]}]",
            "groups[0].taints is {'key': 'a'}: expected a key, and an effect of NoSchedule",
        ),
        ("groups: [{id: ng-a}, {id: ng-a}]", "groups has 'ng-a' twice: expected ids that differ"),
        ("failures: [{}]", "failures[0].action is None: expected one of away"),
        ("failures: [{action: stokout}]", "failures[0].action is 'stokout': expected 'stockout'"),
        ("failures: [{action: slow}]", "failures[0] has no extra_seconds: expected it"),
        ("failures: [{action: slow, succeed: 1}]", "failures[0] has 'succeed': expected one of after"),
        ("failures: [{action: reject, method: grow}]", "failures[0].method is 'grow': expected "),
        (
            "failures: [{action: reject, code: Teapot}]",
            "failures[0].code is 'Teapot': expected one of Aborted",
        ),
        ("failures: [{action: stockout, succeed: -1}]", "failures[0].succeed is -1: expected 0 or more"),
        (
            "failures: [{action: slow, extra_seconds: .nan}]",
            "failures[0].extra_seconds is nan: expected 0 or more",
        ),
        ("failures: [{action: away, after: -5}]", "failures[0].after is -5: expected 0 or more"),
        ("failures: [{action: stockout, times: 0}]", "failures[0].times is 0: expected 1 or more"),
    ],
)
def test_what_is_wrong_is_named(text, complaint):
    with pytest.raises(CloudFileError) as wrong:
        cloud_of(text)

    assert str(wrong.value).startswith(complaint)
