"""PRQ: pods that use the capacity of a request make no group grow (PR-180…187)."""

from kueue_conformance import always, cross, rows, scenario, within

GROUPS = ("node groups",)
NEW = "autoscaling.x-k8s.io/consume-provisioning-request"
OLD = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
CLASS = "autoscaling.x-k8s.io/provisioning-class-name"
LEFT_OUT = "Unschedulable pod didn't trigger scale-up, because it's consuming ProvisioningRequest"


@scenario(
    "PRQ-180",
    "a pod that consumes a request scales up no group, and an ordinary one does",
    requirement="provisioning-request#consumers",
    shows="PR-180 PR-181 PR-182 PR-183 PR-185 PR-215 CV-27",
    needs=GROUPS,
    clauses={"a": "an ordinary pod does", "b": "pods that name a request do not"},
    cases=rows(
        "keys value",
        (NEW, "missing"),
        (OLD, "missing"),
        (f"{NEW} {OLD}", "missing"),
        (NEW, ""),
        (f"{NEW} {CLASS}", "missing"),
    ).also_drawn(),
)
def test_no_growth(autoscaling, clock, keys, value):
    group = autoscaling.make_group("ng-a", cpu="4", boots=3600)
    autoscaling.start()
    for _ in range(3):
        autoscaling.make_annotated_pod(dict.fromkeys(keys.split(), value), cpu="3")

    clock.advance(3 * autoscaling.times.scan)

    always(group.was_increased_by, clause="b")
    autoscaling.make_pod(cpu="3")
    within("answer", group.has_grown, clause="a")


@scenario(
    "PRQ-181",
    "a pod whose ProvisioningRequest is missing has an event that names it",
    requirement="provisioning-request#events",
    shows="PR-187 PR-184 CV-27",
    level="should",
    clauses={"a": "once"},
    cases=rows("key value", (NEW, "mine"), (OLD, "mine"), (NEW, "")),
)
def test_told(autoscaling, clock, key, value):
    autoscaling.start()
    pod = autoscaling.make_consumer(value, key=key)

    clock.advance(3 * autoscaling.times.scan)

    within("answer", lambda: pod.has_event(f"{LEFT_OUT} {pod.namespace}/{value}"), clause="a")


@scenario(
    "PRQ-182",
    "the newer annotation counts where a pod has both",
    requirement="provisioning-request#consumers",
    shows="PR-181",
    level="may",
    clauses={"a": "it is reported"},
)
def test_both(autoscaling):
    autoscaling.start()

    pod = autoscaling.make_annotated_pod({NEW: "new", OLD: "old"})

    within("answer", lambda: pod.has_event(f"{LEFT_OUT} {pod.namespace}/new"), clause="a")


@scenario(
    "PRQ-183",
    "a pod that fits on a Node has no event about a request",
    requirement="provisioning-request#events",
    shows="PR-186",
    clauses={"a": "the one that does not fit is", "b": "the other is not"},
    level="may",
)
def test_fits(autoscaling):
    autoscaling.make_node(cpu="4")
    autoscaling.start()

    fits, does_not = autoscaling.make_consumer("mine", cpu="4"), autoscaling.make_consumer("mine", cpu="5")

    within("answer", lambda: does_not.has_event(f"{LEFT_OUT} {does_not.namespace}/mine"), clause="a")
    always(fits.has_no_events, clause="b")


@scenario(
    "PRQ-184",
    "pods that are created with their request or after it fit on the nodes added for it, and no others are added",
    requirement=("provisioning-request#consumers", "aep#pods-are-annotated"),
    shows="PR-231j PR-231k PR-217",
    needs=GROUPS,
    clauses={"a": "Provisioned", "b": "all pods run", "c": "on the nodes of the request"},
    cases=cross(pods_come=("before", "with it", "after", "when nodes are ready")).also_drawn(
        pods_come="after"
    ),
)
def test_whole_life(autoscaling, pods_come):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()
    pods = []

    def come():
        pods.extend(autoscaling.make_consumer("mine", cpu="1") for _ in range(10))

    if pods_come == "before":
        come()
        within("answer", lambda: pods[0].has_event(f"{LEFT_OUT} {pods[0].namespace}/mine"))
    request = autoscaling.make_request(10, "atomic", cpu="1", name="mine")
    if pods_come == "with it":
        come()
    within("answer", request.is_provisioned, clause="a")
    if pods_come == "when nodes are ready":
        within("boot", lambda: group.has_nodes(3))
    if not pods:
        come()

    within("boot", lambda: autoscaling.has_scheduled(pods), clause="b")
    always(lambda: group.was_increased_by(3), clause="c")


@scenario(
    "PRQ-185",
    "pods beyond those of the request scale up no group either",
    requirement="provisioning-request#consumers",
    shows="PR-183 PR-216",
    needs=GROUPS,
    clauses={"a": "Provisioned", "b": "so many run", "c": "and the others cause no scale-up"},
)
def test_excess(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, "atomic", cpu="1")
    within("answer", request.is_provisioned, clause="a")

    pods = [autoscaling.make_consumer(request.name, cpu="1") for _ in range(6)]

    within("boot", lambda: autoscaling.has_scheduled(pods, 4), clause="b")
    clock.advance(3 * autoscaling.times.scan)
    always(lambda: group.was_increased_by(1), clause="c")


@scenario(
    "PRQ-186",
    "without ProvisioningRequests pods that name one are ordinary pods",
    requirement="provisioning-request#routing",
    shows="PR-100",
    needs=GROUPS,
    clauses={"a": "the group grows for them"},
)
def test_switched_off(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start(enable_provisioning_requests=False)

    autoscaling.make_consumer("mine", cpu="1")

    within("answer", lambda: group.was_increased_by(1), clause="a")


@scenario(
    "PRQ-187",
    "pods of a request whose capacity others have used wait, and scale up no group",
    requirement="provisioning-request#consumers",
    shows="PR-230i PR-230j PR-381",
    needs=GROUPS,
    clauses={
        "a": "the pods of others run there",
        "b": "those of the request do not, and no group is scaled up",
        "c": "without the annotation it does",
    },
)
def test_room_is_taken(autoscaling, clock):
    group = autoscaling.make_group("ng-a", nodes=1, most=3, cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)
    other_pods = [autoscaling.make_pod(cpu="1") for _ in range(4)]
    within("answer", lambda: autoscaling.has_scheduled(other_pods), clause="a")
    before = len(group.increases())

    pods = [autoscaling.make_consumer(request.name, cpu="1") for _ in range(2)]

    clock.advance(3 * autoscaling.times.scan)
    always(lambda: autoscaling.has_scheduled(pods, 0) and len(group.increases()) == before, clause="b")
    autoscaling.make_pod(cpu="4")
    within("answer", lambda: len(group.increases()) > before, clause="c")
