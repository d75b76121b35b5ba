"""PRQ: requests of several pod sets, each for machines of another kind (PR-125, PR-128, PR-130, PR-134,
PR-150, PR-174).
"""

from kueue_conformance import always, pairwise, scenario, within

GROUPS = ("node groups",)
NUMBERS = (2, 3, 5)
PODS = 4
"""Pods of a pod set: as many as a machine holds."""
UNFIT = {
    "nothing": lambda spec: spec,
    "selector": lambda spec: {**spec, "nodeSelector": {"pool": "none"}},
    "toleration": lambda spec: {**spec, "tolerations": []},
    "cpu": lambda spec: {**spec, "cpu": "4100m"},
    "memory": lambda spec: {**spec, "memory": "17Gi"},
    "number": lambda spec: {**spec, "cpu": "1100m"},
}
"""Why the machines of a pod set do not hold its pods."""


def pool(at):
    """Return labels and taint of the machines of one kind."""
    return {
        "labels": {"pool": f"pool-{at}"},
        "taints": [{"key": "pool", "value": f"pool-{at}", "effect": "NoSchedule"}],
    }


def pods_of_pool(at):
    """Return the pods that run on these machines and on no others; they fill one."""
    toleration = {"key": "pool", "operator": "Equal", "value": f"pool-{at}", "effect": "NoSchedule"}
    return {
        "cpu": "1",
        "memory": "4Gi",
        "nodeSelector": {"pool": f"pool-{at}"},
        "tolerations": [toleration],
    }


def index_of(position, number):
    """Return the index of the `first`, the `middle` or the `last` of so many."""
    return {"first": 0, "middle": number // 2, "last": number - 1}[position]


def make_pod_sets(autoscaling, number, at, unfit="nothing"):
    """Return pod sets for machines of so many kinds, of which one does not fit for this reason."""
    return [
        (autoscaling.make_template(**UNFIT[unfit if index == at else "nothing"](pods_of_pool(index))), PODS)
        for index in range(number)
    ]


@scenario(
    "PRQ-290",
    "the capacity of a request is there when each of its pod sets fits on its own Nodes, and else none is booked",
    requirement=(
        "provisioning-request#check-capacity",
        "provisioning-request#placing",
        "provisioning-request#booking",
    ),
    shows="PR-125 PR-128 PR-130 PR-134 PR-331",
    cases=pairwise(
        number=NUMBERS,
        position=("first", "middle", "last"),
        unfit=tuple(UNFIT)[1:],
    ),
    clauses={
        "a": "no capacity where one pod set does not fit",
        "b": "a request whose pod sets all fit is Provisioned",
        "c": "all of its Nodes are booked",
    },
)
def test_nodes_of_each_pod_set(autoscaling, number, position, unfit):
    for at in range(number):
        autoscaling.make_node(**pool(at))
    autoscaling.start()
    at = index_of(position, number)
    fitting = make_pod_sets(autoscaling, number, at)

    refused = autoscaling.make_request(make_pod_sets(autoscaling, number, at, unfit))

    within("answer", refused.is_out_of_capacity, clause="a")
    within("answer", autoscaling.make_request(fitting).is_provisioned, clause="b")
    always(refused.is_out_of_capacity, clause="a")
    for template, _ in fitting:
        within("answer", autoscaling.make_request([(template, 1)]).is_out_of_capacity, clause="c")


@scenario(
    "PRQ-291",
    "an atomic request gets the Nodes that one of its pod sets lacks, and none when a pod set does not fit",
    requirement=(
        "provisioning-request#atomic",
        "provisioning-request#all-or-nothing",
        "provisioning-request#placing",
    ),
    shows="PR-130 PR-150 PR-152 PR-165 PR-174",
    needs=GROUPS,
    cases=pairwise(
        number=NUMBERS,
        position=("first", "last"),
        where=("itself", "beside"),
        unfit=tuple(UNFIT)[1:],
    ).without(where="itself", unfit="number"),
    clauses={
        "a": "no capacity where a pod set does not fit, that one or another",
        "b": "and no call",
        "c": "Provisioned where all fit",
        "d": "by one machine of the kind that it lacks",
    },
)
def test_nodes_that_a_pod_set_lacks(autoscaling, clock, number, position, where, unfit):
    at = index_of(position, number)
    groups = [autoscaling.make_group(f"ng-{index}", cpu="4", **pool(index)) for index in range(number)]
    for index in range(number):
        if index != at:
            autoscaling.make_node(**pool(index))
    autoscaling.start()

    wrong = at if where == "itself" else (at + 1) % number
    refused = autoscaling.make_request(make_pod_sets(autoscaling, number, wrong, unfit), "atomic")

    within("answer", refused.is_out_of_capacity, clause="a")
    clock.advance(2 * autoscaling.times.first)
    always(lambda: not any(group.has_grown() for group in groups), clause="b")
    refused.delete()
    request = autoscaling.make_request(make_pod_sets(autoscaling, number, at), "atomic")
    within("answer", request.is_provisioned, clause="c")
    always(lambda: groups[at].was_increased_by(1), clause="d")
    always(lambda: not any(group.has_grown() for group in groups if group is not groups[at]), clause="d")
