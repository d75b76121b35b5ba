"""PRQ: the proposal taken at its word: checks once, atomic requests until their nodes are ready, roll-back,
deadlines (PR-200…221).
"""

from kueue_conformance import always, rows, scenario, within

PROPOSAL = ("aep",)
GROUPS = ("node groups",)
EXACT = (*GROUPS, "virtual time")
OLD = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
NEW = "autoscaling.x-k8s.io/consume-provisioning-request"


@scenario(
    "PRQ-240",
    "a check-capacity request is answered from the current capacity, and books none",
    requirement=("aep#conditions", "aep#one-shot"),
    shows="PR-201 PR-202 PR-230a PR-230d CV-28",
    only=PROPOSAL,
    clauses={"a": "there is room", "b": "the same room for another", "c": "too large"},
)
def test_check(autoscaling):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()

    within("answer", autoscaling.make_request(8, cpu="1").is_available, clause="a")

    within("answer", autoscaling.make_request(12, cpu="1").is_available, clause="b")
    large = autoscaling.make_request(13, cpu="1")
    within("answer", lambda: large.is_available(available=False), clause="c")


@scenario(
    "PRQ-241",
    "a check-capacity request is answered once, however the capacity changes",
    requirement="aep#one-shot",
    shows="PR-200 PR-202 PR-230c CV-28",
    only=PROPOSAL,
    clauses={"a": "not there", "b": "its condition does not change when a Node is added"},
)
def test_once(autoscaling, clock):
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", lambda: request.is_available(available=False), clause="a")

    autoscaling.make_node()
    clock.advance(3 * autoscaling.times.first)

    always(lambda: request.is_available(available=False), clause="b")


@scenario(
    "PRQ-242",
    "an atomic request is Provisioned when the last of its nodes is ready",
    requirement="aep#conditions",
    shows="PR-204 PR-206 PR-231a CV-29",
    only=PROPOSAL,
    needs=EXACT,
    clauses={
        "a": "requested in one step",
        "b": "not Provisioned before the last is ready",
        "c": "then it is",
    },
)
def test_ready(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    group.fail_calls("is slow", times=1, extra_seconds=200, indexes=(1,))
    autoscaling.start()
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", lambda: group.was_increased_by(3), clause="a")

    clock.advance(200)
    always(lambda: request.has_no_condition("Provisioned"), clause="b")

    within("recover", request.is_provisioned, clause="c")


@scenario(
    "PRQ-243",
    "a failed attempt is undone, and repeated later",
    requirement="aep#conditions",
    shows="PR-205 PR-231e PR-231g CV-30",
    only=PROPOSAL,
    needs=EXACT,
    clauses={"a": "reported", "b": "no machine is left", "c": "Provisioned by the next attempt"},
    cases=rows(
        "failure how",
        ("is out of stock", {"succeed": 2}),
        ("breaks", {"indexes": (0,)}),
        ("never registers", {"indexes": (0,)}),
        ("stays unready", {"indexes": (2,)}),
    ),
)
def test_undone(autoscaling, failure, how):
    group = autoscaling.make_group("ng-a", cpu="4")
    group.fail_calls(failure, times=1, **how)
    autoscaling.start(max_node_provision_time="300s")
    request = autoscaling.make_request(12, "atomic", cpu="1")

    within("eventually", request.is_out_of_capacity, clause="a")
    within("answer", lambda: group.has_target(0), clause="b")

    within("eventually", lambda: request.is_provisioned() and group.has_nodes(3), clause="c")


@scenario(
    "PRQ-244",
    "the delay before the next attempt doubles up to ten minutes",
    requirement="aep#conditions",
    shows="PR-209 CV-31",
    only=PROPOSAL,
    needs=EXACT,
    level="should",
    clauses={"a": "60, 120, 240, 480, 600 and 600 seconds"},
)
def test_delays(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects")
    autoscaling.start()
    request = autoscaling.make_request(4, "atomic", cpu="1")
    within("answer", request.is_out_of_capacity)

    clock.advance(60 + 120 + 240 + 480 + 600 + 600 + autoscaling.times.scan)

    within("answer", lambda: group.was_increased_after(60, 120, 240, 480, 600, 600), clause="a")


@scenario(
    "PRQ-245",
    "a request fails when its ValidUntilSeconds have passed",
    requirement="aep#conditions",
    shows="PR-207 PR-208 PR-231i CV-32",
    only=PROPOSAL,
    needs=EXACT,
    clauses={"a": "failed", "b": "after so many attempts"},
    cases=rows("seconds attempts", ("90", 2), ("0", 1), ("300", 3)),
)
def test_deadline(autoscaling, seconds, attempts):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects")
    autoscaling.start()

    request = autoscaling.make_request(4, "atomic", cpu="1", parameters={"ValidUntilSeconds": seconds})

    within(
        "eventually",
        lambda: (
            request.is_failed("ValidUntilExpired")
            and request.had_condition_after("Failed", int(seconds), within=2 * autoscaling.times.scan)
        ),
        clause="a",
    )
    always(lambda: len(group.increases()) == attempts, clause="b")


@scenario(
    "PRQ-246",
    "a request whose ValidUntilSeconds cannot be parsed fails before the first attempt",
    requirement="aep#conditions",
    shows="PR-207 CV-32",
    only=PROPOSAL,
    needs=GROUPS,
    clauses={"a": "failed", "b": "no node requested", "c": "another is served"},
    cases=rows("seconds", ("",), ("-1",), ("1.5",), ("banana",), (" 5",), ("99999999999",), ("+5",)),
)
def test_unreadable(autoscaling, seconds):
    group = autoscaling.make_group("ng-a")
    autoscaling.start()

    request = autoscaling.make_request(4, "atomic", cpu="1", parameters={"ValidUntilSeconds": seconds})

    within("answer", lambda: request.is_failed("InvalidParameter"), clause="a")
    always(group.was_increased_by, clause="b")
    autoscaling.make_request(4, "atomic", cpu="1", parameters={"ValidUntilSeconds": "3600"})
    within("answer", lambda: group.was_increased_by(1), clause="c")


@scenario(
    "PRQ-247",
    "nodes of an attempt stay until it has ended, and are removed like all others afterwards",
    requirement="aep#conditions",
    shows="PR-210 PR-211 CV-33 GT-4",
    only=PROPOSAL,
    needs=EXACT,
    clauses={"a": "they stay", "b": "Provisioned", "c": "they are removed"},
)
def test_guarded(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    group.fail_calls("is slow", times=1, extra_seconds=400, indexes=(0,))
    autoscaling.start(scale_down_unneeded_time="60s", unremovable_node_recheck_timeout="10s")
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", lambda: group.was_increased_by(3))

    clock.advance(360)
    always(lambda: group.has_nodes(2), clause="a")
    within("recover", request.is_provisioned, clause="b")
    clock.advance(60)

    within("recover", lambda: group.has_target(0), clause="c")


@scenario(
    "PRQ-248",
    "pods with the annotation of the proposal scale up no group",
    requirement="aep#pods-are-annotated",
    shows="PR-212 PR-213 PR-214 CV-27",
    only=PROPOSAL,
    needs=GROUPS,
    clauses={"a": "they do not", "b": "others do"},
    cases=rows("key grows", (OLD, False), (NEW, True)),
)
def test_consumers(autoscaling, clock, key, grows):
    group = autoscaling.make_group("ng-a", cpu="4", boots=3600)
    autoscaling.start()
    autoscaling.make_consumer("any", cpu="3", key=key)

    if grows:
        within("answer", group.has_grown, clause="b")
        return
    clock.advance(3 * autoscaling.times.scan)
    always(group.was_increased_by, clause="a")
    autoscaling.make_pod(cpu="3")
    within("answer", group.has_grown, clause="b")


@scenario(
    "PRQ-249",
    "a request without its template fails",
    requirement="aep#templates-come-with-it",
    shows="PR-203 PR-230f",
    only=PROPOSAL,
    clauses={"a": "failed"},
    cases=rows("kind", ("check",), ("atomic",)),
)
def test_template(autoscaling, kind):
    autoscaling.make_node()
    autoscaling.start()

    within("answer", autoscaling.make_request([("missing", 1)], kind).is_failed, clause="a")


@scenario(
    "PRQ-250",
    "the booting nodes of a deleted request are removed like all others",
    requirement="aep#deleted-when-done",
    shows="PR-210 PR-231h CV-22",
    only=PROPOSAL,
    needs=EXACT,
    clauses={"a": "no node is removed at once", "b": "they are removed"},
)
def test_deleted(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start(scale_down_unneeded_time="60s")
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", lambda: group.was_increased_by(3))

    request.delete()

    always(lambda: group.has_target(3), clause="a")
    clock.advance(120)
    within("recover", lambda: group.has_target(0), clause="b")
