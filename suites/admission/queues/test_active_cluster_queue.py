"""ADM: whether a ClusterQueue is Active, and why not (documentation, "Usage"; AC-410…413, AC-421…431)."""

from kueue_conformance import always, cross, rows, scenario, within

STOPS = ("Hold", "HoldAndDrain")
CANNOT = "Can't admit new workloads"


@scenario(
    "ADM-100",
    "a ClusterQueue with missing flavors is inactive until they exist",
    requirement="kep-993#stage-one",
    shows="SC-100 AC-413 AC-426",
    cases=rows("missing", ((1,),), ((2,),), ((3,),), ((1, 2, 3),)),
    revision=2,
    clauses={
        "a": "inactive as long as one is missing",
        "b": "active when they exist",
        "c": "pending Workloads are reserved",
    },
)
def test_missing_flavors(kueue_cluster, missing):
    names = [kueue_cluster.names.name("flavor") for _ in range(3)]
    absent = [names[position - 1] for position in missing]
    [kueue_cluster.make_flavor_named(name) for name in names if name not in absent]
    queue = kueue_cluster.make_queue(flavors=names)
    workload = queue.submit()
    within("settle", queue.is_inactive, clause="a")
    *first, last = absent
    [kueue_cluster.make_flavor_named(name) for name in first]
    always(lambda: queue.is_inactive() and workload.is_suspended(), clause="a")

    kueue_cluster.make_flavor_named(last)

    within("settle", queue.is_active, clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-112",
    "a ClusterQueue with a missing flavor names it",
    requirement="kep-993#stage-one",
    shows="SC-100 AC-413 AC-426",
    level="may",
    since="0.9",
    clauses={"a": "the message names the flavor that is missing", "b": "and no flavor that exists"},
)
def test_missing_flavor_is_named(kueue_cluster):
    missing, there = kueue_cluster.names.name("flavor"), kueue_cluster.make_flavor()

    queue = kueue_cluster.make_queue(flavors=[missing, there])

    within("settle", lambda: queue.shows_message(missing), clause="a")
    always(lambda: queue.shows_message(there).negate(), clause="b")


@scenario(
    "ADM-323",
    "an inactive ClusterQueue has the reason, and names the missing object",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-410 AC-411 AC-412 AC-413 AC-414 AC-415",
    level="may",
    since="0.9",
    clauses={
        "a": "every reason in turn, the first as the reason",
        "b": "flavors as the spec has them, checks by their names",
        "c": "less as it is mended",
    },
)
def test_texts_of_an_inactive_cluster_queue(kueue_cluster):
    flavors = [kueue_cluster.names.name("flavor") for _ in range(2)]
    missing = [kueue_cluster.missing_check() for _ in range(2)]
    inactive = [kueue_cluster.make_check(active=False) for _ in range(2)]
    no_flavors = f"references missing ResourceFlavor(s): {','.join(flavors[::-1])}"
    no_checks = f"references missing AdmissionCheck(s): {','.join(check.name for check in missing)}"
    idle = f"references inactive AdmissionCheck(s): {','.join(check.name for check in inactive)}"

    queue = kueue_cluster.make_queue(
        [*inactive[::-1], *missing[::-1]], flavors=flavors[::-1], stopPolicy="Hold"
    )

    within(
        "settle",
        lambda: queue.shows_reason("Stopped", f"{CANNOT}: is stopped, {no_flavors}, {no_checks}, {idle}."),
        clause="b",
    )
    queue.resume()
    within(
        "settle",
        lambda: queue.shows_reason("FlavorNotFound", f"{CANNOT}: {no_flavors}, {no_checks}, {idle}."),
        clause="a",
    )
    [kueue_cluster.make_flavor_named(name) for name in flavors]
    within(
        "settle",
        lambda: queue.shows_reason("AdmissionCheckNotFound", f"{CANNOT}: {no_checks}, {idle}."),
        clause="a",
    )
    [kueue_cluster.create_check(check).set_active() for check in missing]
    within("settle", lambda: queue.shows_reason("AdmissionCheckInactive", f"{CANNOT}: {idle}."), clause="a")
    inactive[0].set_active()
    message = f"references inactive AdmissionCheck(s): {inactive[1].name}"
    within(
        "settle", lambda: queue.shows_reason("AdmissionCheckInactive", f"{CANNOT}: {message}."), clause="c"
    )
    inactive[1].set_active()
    within("settle", lambda: queue.shows_reason("Ready", "Can admit new workloads"), clause="c")


@scenario(
    "ADM-324",
    "lastTransitionTime of an Active condition moves with its status, and observedGeneration with the spec",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-423",
    level="should",
    since="0.9",
    clauses={
        "a": "another reason keeps the time",
        "b": "another status moves it",
        "c": "observedGeneration is that of the newest spec",
    },
)
def test_times_of_active_conditions(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    within("settle", lambda: queue.is_active() and queue.is_active_locally())
    active = queue.active_since()
    clock.tick()
    queue.hold()
    within("settle", lambda: queue.is_inactive("Stopped") and queue.is_inactive_locally())
    stopped = queue.active_since()

    clock.tick()
    queue.checks[0].set_active(False)
    queue.resume()

    within("settle", queue.is_inactive_for_inactive_checks)
    always(lambda: queue.active_since() == stopped, clause="a")
    clock.tick()
    queue.checks[0].set_active()
    within("settle", lambda: queue.is_active() and queue.is_active_locally())
    times = [active, stopped, queue.active_since()]
    assert times == sorted({*times}), f"b: {times}"
    within("settle", queue.has_observed_its_generation, clause="c")


@scenario(
    "ADM-327",
    "a ClusterQueue that is stopped or being deleted reports it",
    requirement="kep-993#hold",
    shows="AC-412 AC-421 AC-428 AC-429 AC-430 AC-431 KV-80",
    level="should",
    cases=cross(policy=STOPS),
    clauses={
        "a": "stopped",
        "b": "being deleted, which counts more, as long as something is admitted",
        "c": "pending Workloads continue",
    },
)
def test_stopped_and_terminating_cluster_queue(make_queue, policy):
    stopped, queue = make_queue(checks=0), make_queue(checks=1)
    workload = queue.submit_until("admitted")

    stopped.try_to_change(stopPolicy=policy)
    within("settle", lambda: stopped.is_inactive("Stopped") and stopped.is_inactive_locally(), clause="a")
    waiting = stopped.submit()
    always(waiting.is_suspended, clause="a")
    queue.delete()
    within("settle", lambda: queue.is_inactive("Terminating"), clause="b")
    queue.hold()
    always(lambda: queue.is_inactive("Terminating") and workload.is_admitted(), clause="b")
    stopped.resume()

    within("admit", waiting.is_admitted, clause="c")
