"""PRQ: by what means conditions are written, and what of others is left alone (PR-087…091)."""

from kueue_conformance import always, cross, rows, scenario, within

KINDS = ("check", "atomic")


@scenario(
    "PRQ-220",
    "the outcome of an atomic request is written by server-side apply, everything else by updates",
    requirement="provisioning-request#writes",
    shows="PR-089",
    since="1.34",
    level="may",
    cases=rows("kind how", ("check", "Update"), ("atomic", "Apply")),
    clauses={"a": "Accepted", "b": "answered"},
)
def test_means(autoscaling, kind, how):
    autoscaling.make_node()
    autoscaling.start()

    request = autoscaling.make_request(1, kind)

    within("answer", request.is_provisioned)
    within("answer", lambda: request.is_written_by("Accepted", "Update"), clause="a")
    within("answer", lambda: request.is_written_by("Provisioned", how), clause="b")


@scenario(
    "PRQ-221",
    "an applied condition has no observedGeneration",
    requirement="provisioning-request#writes",
    shows="PR-089 PR-087",
    since="1.34",
    level="may",
    cases=rows("kind generation", ("check", 1), ("atomic", None)),
    clauses={"a": "the answer"},
)
def test_generation(autoscaling, kind, generation):
    autoscaling.make_node()
    autoscaling.start()

    request = autoscaling.make_request(1, kind)

    within("answer", request.is_provisioned)
    within("answer", lambda: request.has_observed_generation("Provisioned", generation), clause="a")


@scenario(
    "PRQ-222",
    "conditions and other fields that other clients write stay as they are",
    requirement="provisioning-request#conditions",
    shows="PR-088 PR-091 PR-221",
    cases=cross(kind=KINDS),
    clauses={"a": "answered beside them", "b": "as they were"},
)
def test_of_others(autoscaling, kind):
    autoscaling.make_node()
    request = autoscaling.make_request(1, kind)
    request.set_foreign_conditions(ago=100, CapacityRevoked=False, Unheard=True)
    request.set_foreign_details({"zone": "a"})
    before = {name: request.conditions[name] for name in ("CapacityRevoked", "Unheard")}
    autoscaling.start()

    within("answer", request.is_provisioned, clause="a")

    always(lambda: request.has_conditions(before) and request.has_details({"zone": "a"}), clause="b")


@scenario(
    "PRQ-223",
    "a condition has the observedGeneration that the request had",
    requirement="provisioning-request#writes",
    shows="PR-087 PR-024",
    level="may",
    clauses={"a": "the first attempt", "b": "one after a change"},
)
def test_changed(autoscaling):
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity)
    within("answer", lambda: request.has_observed_generation("Accepted", 1), clause="a")

    request.try_to_change(spec={"parameters": {"any": "thing"}})
    autoscaling.make_node()

    within("attempt", request.is_provisioned)
    within("answer", lambda: request.has_observed_generation("Provisioned", 2), clause="b")


@scenario(
    "PRQ-224",
    "lastTransitionTime of a condition is the time at which its status changed",
    requirement="provisioning-request#writes",
    shows="PR-087",
    level="may",
    since="1.32",
    needs=("virtual time",),
    clauses={"a": "False at first", "b": "True at its time"},
)
def test_times(autoscaling):
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.make_node()

    within("attempt", request.is_provisioned)
    within(
        "answer", lambda: request.has_transition_times("Provisioned", 0, autoscaling.times.first), clause="b"
    )
