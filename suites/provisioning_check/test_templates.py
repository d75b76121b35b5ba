"""PRC: the PodTemplates of a request: their content, their owners,
and changes by others (PA-057, PA-065…PA-069, PD-07).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

GPU = {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}
LIMITED = {"name": "limited", "image": "registry.k8s.io/pause:3.10", "resources": {"limits": {"cpu": "2"}}}
IDLE = {"name": "idle", "image": "registry.k8s.io/pause:3.10"}


@scenario(
    "PRC-060",
    "the templates of a request exist before it does",
    requirement=("aep#templates-come-with-it", "provisioning-check#templates"),
    shows="PA-057 RG-K07 DK-44",
    since="0.19",
    cases=cross().also_beside_namesakes(),
    clauses={"a": "one for each pod set", "b": "no template was missing when it was created"},
)
def test_templates_come_first(kueue_cluster, provisioning):
    queue = provisioning.make_queue()

    workload = provisioning.submit_until_requested(
        queue,
        podSets=[kueue_cluster.pod_set("driver", cpu="1"), kueue_cluster.pod_set("workers", 2, cpu="1")],
    )

    request = workload.request(queue.checks[0])
    within("react", request.has_templates, clause="a")
    always(request.was_never_without_templates, clause="b")


@scenario(
    "PRC-061",
    "pods are requested for the nodes of the flavor that is assigned",
    requirement="provisioning-check#templates",
    shows="PA-065 PA-171",
    since="0.19",
    revision=2,
    cases=cross(tolerating=("flavor", "pods", "both")),
    clauses={"a": "its labels", "b": "the toleration of the flavor or of the pods, once"},
)
def test_flavor_in_the_template(kueue_cluster, provisioning, tolerating):
    flavor = kueue_cluster.make_flavor(tolerations=[GPU] if tolerating != "pods" else [])
    queue = provisioning.make_queue(queue={"flavors": [flavor]})

    workload = provisioning.submit_until_requested(
        queue, template={"tolerations": [GPU] if tolerating != "flavor" else []}
    )

    template = workload.request(queue.checks[0]).template()
    within("react", lambda: template.has_node_selector(kueue_cluster.node_selector(flavor)), clause="a")
    within("react", lambda: template.has_toleration(GPU), clause="b")


@scenario(
    "PRC-062",
    "limits without requests are requested",
    requirement="provisioning-check#templates",
    shows="PA-066 RG-K20 TB-30",
    since="0.19",
    cases=cross(kind=("containers", "initContainers")),
    clauses={"a": "the request of the template is the limit"},
)
def test_limits_are_requested(kueue_cluster, provisioning, kind):
    queue = provisioning.make_queue()
    spec = (
        {"containers": [LIMITED]}
        if kind == "containers"
        else {"containers": [IDLE], "initContainers": [LIMITED]}
    )

    workload = provisioning.submit_until_requested(queue, podSets=[kueue_cluster.pod_set("main", spec=spec)])

    within(
        "react",
        lambda: workload.request(queue.checks[0]).template().has_requests({"cpu": "2"}, kind=kind),
        clause="a",
    )


@scenario(
    "PRC-063",
    "a template is owned by its request, and is deleted with it",
    requirement="provisioning-check#ownership",
    shows="PA-067 PA-069 DK-14",
    level="should",
    since="0.19",
    clauses={"a": "the request is its only owner"},
)
def test_owner_of_a_template(provisioning):
    queue = provisioning.make_queue()

    request = provisioning.submit_until_requested(queue).request(queue.checks[0])

    within("react", lambda: request.template().is_owned_by("ProvisioningRequest", request.uid), clause="a")
    within("react", lambda: request.template().has_one_owner(), clause="a")


@scenario(
    "PRC-064",
    "a template that exists already is used as it is, or reported as a conflict",
    requirement="provisioning-check#templates",
    shows="PA-068 TB-18",
    level="may",
    since="0.19",
    clauses={
        "a": "the request is made, or the check names the template",
        "b": "the template is the one that was there",
    },
)
def test_template_that_was_there(provisioning):
    queue = provisioning.make_queue(cpu="0")
    workload = queue.submit(cpu="1")
    name, request = f"ppt-{workload.name}-{queue.checks[0].name}-1-main", workload.request(queue.checks[0])
    uid = provisioning.make_foreign_template(name)

    queue.set_quota("1")

    behaviour = either(
        "react",
        {
            "used": request.exists,
            "in the way": lambda: workload.has_entry_message_containing(queue.checks[0], name),
        },
        clause="a",
    )
    if behaviour == "used":
        always(lambda: request.template().has_uid(uid), clause="b")


@scenario(
    "PRC-065",
    "a request whose template is deleted or edited stays as it is",
    requirement=("provisioning-check#odd-input", "provisioning-check#ready-when-provided"),
    shows="PA-068",
    since="0.19",
    cases=rows("example", ("deleted",), ("edited",)),
    clauses={"a": "the request stays", "b": "it can be provided"},
)
def test_template_is_disturbed(provisioning, autoscaler, example):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid

    {"deleted": request.template().delete, "edited": request.template().add_label}[example]()
    workload.touch()

    always(lambda: request.has_uid(uid), clause="a")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-066",
    "requests and templates are marked as managed by Kueue",
    requirement="provisioning-check#names",
    shows="PA-058 PA-065 DK-20",
    level="may",
    since="0.19",
    clauses={"a": "the request", "b": "the template"},
)
def test_managed(provisioning):
    queue = provisioning.make_queue()

    request = provisioning.submit_until_requested(queue).request(queue.checks[0])

    within("react", request.has_managed_label, clause="a")
    within("react", lambda: request.template().has_managed_label(), clause="b")
