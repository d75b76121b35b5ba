"""PRC: classes and parameters of requests, from the configuration and from annotations (PA-012, PA-013,
PA-059…PA-061, PA-123, PD-05).
"""

from kueue_conformance import always, cross, rows, scenario, within

PREFIX = "provreq.kueue.x-k8s.io/"
LONGEST, VALUE, ENTRIES = 253, 255, 100


@scenario(
    "PRC-070",
    "class and parameters of a request are those of the configuration, also the longest",
    requirement=("provisioning-check#what-is-asked-for", "docs-2024#parameters"),
    shows="PA-059 PR-018 PR-019 PA-012 PA-013",
    since="0.9",
    cases=rows("example", ("some",), ("none",), ("the most",)),
    clauses={"a": "the class", "b": "the parameters"},
)
def test_parameters_of_the_configuration(provisioning, example):
    class_name, parameters = {
        "some": ("queued-provisioning.example.com", {"ValidUntilSeconds": "60", "noRetry": "true"}),
        "none": ("any", {}),
        "the most": ("c" * LONGEST, {f"p{at}": "v" * VALUE for at in range(ENTRIES)}),
    }[example]
    queue = provisioning.make_queue(class_name=class_name, parameters=parameters)

    request = provisioning.submit_until_requested(queue).request(queue.checks[0])

    within("react", lambda: request.has_class(class_name), clause="a")
    within("react", lambda: request.has_parameters(parameters), clause="b")


@scenario(
    "PRC-071",
    "annotations with the prefix for it become parameters, and no others",
    requirement="provisioning-check#annotations",
    shows="PA-059 PA-060 TB-16 TB-139 DK-17",
    since="0.19",
    cases=cross(form=("workload", "job")),
    clauses={"a": "beside those of the configuration"},
)
def test_annotations(provisioning, form):
    queue = provisioning.make_queue(parameters={"own": "1"})
    annotations = {
        f"{PREFIX}zone": "a",
        "example.com/zone": "b",
        "provreq.kueue.x-k8s.io.example.com/zone": "c",
    }

    workload = provisioning.submit_until_requested(queue, form, annotations=annotations)

    within(
        "react",
        lambda: workload.request(queue.checks[0]).has_parameters({"own": "1", "zone": "a"}),
        clause="a",
    )


@scenario(
    "PRC-072",
    "annotations of one Workload do not reach the request of another",
    requirement="provisioning-check#annotations",
    shows="PA-059",
    since="0.19",
    clauses={"a": "each has its own"},
)
def test_annotations_of_two(provisioning):
    queue = provisioning.make_queue()

    first, other = (
        provisioning.submit_until_requested(queue, annotations={f"{PREFIX}zone": zone}) for zone in "ab"
    )

    always(lambda: first.request(queue.checks[0]).has_parameters({"zone": "a"}), clause="a")
    always(lambda: other.request(queue.checks[0]).has_parameters({"zone": "b"}), clause="a")


@scenario(
    "PRC-255",
    "the request that is created has the value of an annotation, and not that of the configuration",
    requirement="provisioning-check#annotations",
    shows="PA-059 PA-133",
    since="0.19",
    needs=("faults of Kueue",),
    cases=cross(form=("workload", "job")),
    clauses={"a": "that of the annotation, beside the other ones of the configuration"},
)
def test_annotation_of_a_configured_name(provisioning, controller_faults, form):
    queue = provisioning.make_queue(parameters={"own": "1", "zone": "a"})
    controller_faults.refuse_deletions("ProvisioningRequest", 500)  # v0.19 would make it anew without end

    workload = queue.submit(form, annotations={f"{PREFIX}zone": "b"})

    within(
        "react",
        lambda: workload.request(queue.checks[0]).has_parameters({"own": "1", "zone": "b"}),
        clause="a",
    )
    workload.delete()


@scenario(
    "PRC-073",
    "a request that the server refuses is reported, and is created once it is valid",
    requirement=("provisioning-check#odd-input", "provisioning-check#create-errors"),
    shows="PA-060 PA-123 PA-124 TB-40 RG-K13",
    since="0.19",
    clauses={
        "a": "the check reports the mistake",
        "b": "it is no verdict",
        "c": "the request is made in the end",
        "d": "the message is removed",
    },
)
def test_refused_request(provisioning):
    queue = provisioning.make_queue()
    workload = queue.submit(annotations={f"{PREFIX}text": "v" * (VALUE + 1)})
    within(
        "react", lambda: workload.has_entry_message_containing(queue.checks[0], "spec.parameters"), clause="a"
    )
    always(lambda: workload.has_states("Pending") and workload.is_prechecked(), clause="b")

    workload.set_annotations({f"{PREFIX}text": "v" * VALUE})

    within("recover", workload.request(queue.checks[0]).exists, clause="c")
    within("recover", lambda: workload.has_entry_message(queue.checks[0], ""), clause="d")


@scenario(
    "PRC-074",
    "a request that cannot be created is reported by an event",
    requirement="provisioning-check#create-errors",
    shows="PA-123 TB-40 RG-K13 RG-K14",
    level="may",
    since="0.19",
    clauses={"a": "a Warning names it"},
)
def test_event_of_a_refused_request(kueue_cluster, provisioning):
    queue = provisioning.make_queue()

    workload = queue.submit(annotations={f"{PREFIX}text": "v" * (VALUE + 1)})

    text = f'Error creating ProvisioningRequest "{workload.name}-{queue.checks[0].name}-1"'
    within(
        "react",
        lambda: kueue_cluster.has_event("FailedCreate", workload, note=text, type="Warning"),
        clause="a",
    )


@scenario(
    "PRC-075",
    "a request that the server refuses does not hold up others",
    requirement=("provisioning-check#odd-input", "provisioning-check#create-errors"),
    shows="PA-123 PA-124",
    since="0.19",
    clauses={"a": "the refused one is reported", "b": "another Workload is admitted"},
)
def test_refused_beside_a_good_one(provisioning, autoscaler):
    queue = provisioning.make_queue()
    bad = queue.submit(annotations={f"{PREFIX}text": "v" * (VALUE + 1)})
    within("react", lambda: bad.has_entry_message_containing(queue.checks[0], "spec.parameters"), clause="a")

    good = provisioning.submit_until_requested(queue)
    autoscaler.provision(good.request(queue.checks[0]))

    within("admit", good.is_admitted, clause="b")
