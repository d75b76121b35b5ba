"""VSB: who sees which list (KEP-168-2, design details; VIS-450…460)."""

from kueue_conformance import always, cross, either, rows, scenario, within

NEEDS = ("pending-workloads API",)
CQ_VIEWER, LQ_VIEWER = "kueue-pending-workloads-cq-viewer-role", "kueue-pending-workloads-lq-viewer-role"
USER, ADMIN = "kueue-batch-user-role", "kueue-batch-admin-role"
BOTH = ["clusterqueues/pendingworkloads", "localqueues/pendingworkloads"]
ROLES = {
    "batch-user-in-a-namespace": (USER, "here", (403, 200, 403)),
    "batch-user-everywhere": (USER, "everywhere", (403, 200, 200)),
    "batch-admin-in-a-namespace": (ADMIN, "here", (403, 200, 403)),
    "batch-admin-everywhere": (ADMIN, "everywhere", (200, 200, 200)),
    "cq-viewer-in-a-namespace": (CQ_VIEWER, "here", (403, 403, 403)),
    "cq-viewer-everywhere": (CQ_VIEWER, "everywhere", (200, 403, 403)),
    "lq-viewer-everywhere": (LQ_VIEWER, "everywhere", (403, 200, 200)),
}
FILLED = ("aggregated ClusterRoles",)
RULES = {
    "every-pendingworkloads": (["*/pendingworkloads"], ["get"], (200, 200)),
    "everything": (["*"], ["get"], (200, 200)),
    "every-verb": (BOTH, ["*"], (200, 200)),
    "no-subresource": (["clusterqueues", "localqueues"], ["get"], (403, 403)),
    "other-subresource": (["clusterqueues/status", "localqueues/status"], ["get"], (403, 403)),
    "other-verbs": (BOTH, ["list", "watch", "create", "update", "patch", "delete"], (403, 403)),
}
FAULTS = {
    "missing-queue": {},
    "delete": {"method": "DELETE"},
    "post": {"method": "POST"},
    "bad-limit": {"query": "limit=x"},
    "bad-accept": {"accept": "image/png"},
    "yaml": {"accept": "application/yaml"},
    "watched": {"query": "watch=true"},
    "no-endpoint": {},
}


def reading(*resources, verbs=("get",), **fields):
    return {
        "apiGroups": ["visibility.kueue.x-k8s.io"],
        "resources": [*resources],
        "verbs": [*verbs],
        **fields,
    }


@scenario(
    "VSB-050",
    "a user of one LocalQueue sees its list, and no other",
    requirement=("kep-168-2#local-users", "visibility-api#rights"),
    shows="VIS-450 VIS-451 VIS-T57 VIS-T73",
    needs=NEEDS,
    clauses={
        "a": "no list without a role",
        "b": "the list of the LocalQueue",
        "c": "not that of the ClusterQueue",
        "d": "not those of other namespaces",
    },
    cases=cross().also_drawn(),
)
def test_local_user(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    workload = queue.submit(cpu="1")
    user = kueue_cluster.make_user()

    within("settle", lambda: user.is_forbidden_to_list_locally(queue), clause="a")
    user.bind(LQ_VIEWER, queue.namespace)

    within("rights", lambda: user.pending_locally(queue).lists(workload), clause="b")
    within("settle", lambda: user.is_forbidden_to_list(queue), clause="c")
    within("settle", lambda: user.is_forbidden_to_list_locally(other), clause="d")


@scenario(
    "VSB-051",
    "each role allows the lists that it is for, where it is bound",
    requirement=("kep-168-2#local-users", "kep-168-2#administrators", "visibility-api#rights"),
    shows="VIS-440 VIS-441 VIS-442 VIS-450 VIS-451 VIS-452 VIS-453 VIS-454 VIS-T58 VIS-T59 VIS-T60",
    needs=NEEDS,
    clauses={"a": "200 or 403 for the ClusterQueue, the LocalQueue, and the one in another namespace"},
    cases=cross(role_name=tuple(ROLES)),
    case_needs={role: FILLED for role in ROLES if role.startswith("batch")},
)
def test_roles(kueue_cluster, role_name):
    role, where, codes = ROLES[role_name]
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    user = kueue_cluster.make_user()

    user.bind(role, {"here": queue.namespace, "everywhere": ""}[where])

    within("rights", lambda: user.has_list_codes(codes, queue, queue, other), clause="a")
    always(lambda: user.has_list_codes(codes, queue, queue, other), clause="a")


@scenario(
    "VSB-052",
    "the cluster's own roles view, edit and admin allow the lists as well",
    requirement="visibility-api#rights",
    shows="VIS-455 VIS-456 VIS-D14",
    level="should",
    since="0.18",
    needs=(*NEEDS, *FILLED),
    clauses={"a": "200 or 403 for the ClusterQueue, the LocalQueue, and the one in another namespace"},
    cases=rows("role where", ("view", "here"), ("edit", "here"), ("admin", "here"), ("view", "everywhere")),
)
def test_roles_of_the_cluster(kueue_cluster, role, where):
    codes = {"here": (403, 200, 403), "everywhere": (200, 200, 200)}[where]
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    user = kueue_cluster.make_user()

    user.bind(role, {"here": queue.namespace, "everywhere": ""}[where])

    within("rights", lambda: user.has_list_codes(codes, queue, queue, other), clause="a")


@scenario(
    "VSB-053",
    "the cluster's own roles view, edit and admin allow no list",
    requirement="visibility-api#rights",
    shows="VIS-455 VIS-456 VIS-D14",
    level="should",
    until="0.17",
    needs=NEEDS,
    cases=cross(role=("view", "admin")),
    clauses={"a": "200 or 403 for the ClusterQueue, the LocalQueue, and the one in another namespace"},
)
def test_roles_of_the_cluster_before(kueue_cluster, role):
    queue = kueue_cluster.make_queue(cpu="0")
    user = kueue_cluster.make_user()

    user.bind(role)

    always(lambda: user.has_list_codes((403, 403), queue, queue), clause="a")


@scenario(
    "VSB-160",
    "a batch administrator administers checks, configurations of requests and priority classes, or queues alone",
    requirement="visibility-api#rights",
    shows="KV-64 VIS-442",
    level="may",
    since="0.19",
    needs=(*NEEDS, *FILLED),
    clauses={"a": "the other kinds", "b": "ClusterQueues and ResourceFlavors"},
)
def test_kinds_of_a_batch_administrator(kueue_cluster):
    others = ("AdmissionCheck", "ProvisioningRequestConfig", "WorkloadPriorityClass")
    user = kueue_cluster.make_user()

    user.bind(ADMIN)

    within("rights", lambda: user.is_allowed_to_write("ClusterQueue", "ResourceFlavor"), clause="b")
    either(
        "rights",
        {
            "it administers them": lambda: user.is_allowed_to_write(*others),
            "it does not": lambda: user.is_forbidden_to_write(*others),
        },
        until={"it does not": "<0.19.6, 0.20.0"},
        clause="a",
    )


@scenario(
    "VSB-054",
    "a rule that names a queue allows the lists of that name alone",
    requirement="visibility-api#rights",
    shows="VIS-457 VIS-421 VIS-422",
    level="should",
    needs=NEEDS,
    clauses={"a": "the lists of the queue", "b": "not those of another"},
    cases=cross().also_drawn(),
)
def test_rule_that_names_a_queue(kueue_cluster):
    queue, other = kueue_cluster.make_queue(cpu="0"), kueue_cluster.make_queue(cpu="0")
    user = kueue_cluster.make_user()

    user.grant(reading(*BOTH, resourceNames=[queue.name]))

    within("rights", lambda: user.has_list_codes((200, 200), queue, queue), clause="a")
    within("settle", lambda: user.has_list_codes((403, 403), other, other), clause="b")


@scenario(
    "VSB-055",
    "only the verb get on the subresource allows a list",
    requirement="visibility-api#rights",
    shows="VIS-458 VIS-423 VIS-118",
    since="0.15",
    level="should",
    needs=NEEDS,
    clauses={"a": "200 or 403 for the ClusterQueue, the LocalQueue, and the one in another namespace"},
    cases=cross(rule=tuple(RULES)),
)
def test_rules(kueue_cluster, rule):
    resources, verbs, codes = RULES[rule]
    queue = kueue_cluster.make_queue(cpu="0")
    user = kueue_cluster.make_user()

    user.grant(reading(*resources, verbs=verbs))

    within("rights", lambda: user.has_list_codes(codes, queue, queue), clause="a")
    always(lambda: user.has_list_codes(codes, queue, queue), clause="a")


@scenario(
    "VSB-056",
    "a right of a group is a right of its members",
    requirement="visibility-api#rights",
    shows="VIS-402 VIS-450",
    since="0.15",
    level="should",
    needs=NEEDS,
    clauses={"a": "a member sees the list", "b": "another user does not"},
)
def test_groups(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    member = kueue_cluster.make_user(group=f"group-of-{queue.name}", bound="group")
    stranger = kueue_cluster.make_user(group="another-group")

    member.bind(LQ_VIEWER, queue.namespace)

    within("rights", lambda: member.has_list_codes((403, 200), queue, queue), clause="a")
    within("settle", lambda: stranger.has_list_codes((403, 403), queue, queue), clause="b")


@scenario(
    "VSB-057",
    "granted and revoked rights take effect soon, without a restart",
    requirement="visibility-api#rights",
    shows="VIS-428",
    needs=NEEDS,
    level="should",
    clauses={
        "a": "answered within 30 s (budget 'rights')",
        "b": "refused again within 30 s (budget 'rights')",
    },
)
def test_rights_change(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    user = kueue_cluster.make_user()
    within("settle", lambda: user.has_list_codes((403, 403), queue, queue))

    binding = user.grant(reading(*BOTH))
    within("rights", lambda: user.has_list_codes((200, 200), queue, queue), clause="a")
    binding.delete()

    within("rights", lambda: user.has_list_codes((403, 403), queue, queue), clause="b")


@scenario(
    "VSB-058",
    "a ServiceAccount is a user like others, as long as it exists",
    requirement=("visibility-api#identity", "visibility-api#rights"),
    shows="VIS-406 VIS-450",
    level="should",
    needs=NEEDS,
    clauses={
        "a": "no list without a role",
        "b": "the lists that its role allows",
        "c": "401 when it was deleted",
    },
)
def test_service_account(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    account = kueue_cluster.make_account()

    within("settle", lambda: account.has_list_codes((403, 403), queue, queue), clause="a")
    account.bind(LQ_VIEWER, queue.namespace)
    within("rights", lambda: account.has_list_codes((403, 200), queue, queue), clause="b")

    kueue_cluster.delete_account(account)
    within("rights", lambda: account.is_unauthenticated(queue), clause="c")


@scenario(
    "VSB-059",
    "a request without credentials is refused with 403, one with bad credentials with 401",
    requirement="visibility-api#identity",
    shows="VIS-406 VIS-407 VIS-141",
    level="should",
    needs=NEEDS,
    clauses={
        "a": "403 without credentials",
        "b": "401 with a token that is not good",
        "c": "the same for a queue that does not exist",
    },
)
def test_no_and_bad_credentials(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    missing = kueue_cluster.missing_queue()
    lists = [
        pending_list
        for listed_queue in (queue, missing)
        for pending_list in (listed_queue.pending(), listed_queue.pending_locally())
    ]

    anonymous = [kueue_cluster.anonymous_client().send(pending_list) for pending_list in lists]
    unknown = [kueue_cluster.bearer_client("nonsense").send(pending_list) for pending_list in lists]

    assert all(answer.is_refused(403, "Forbidden") for answer in anonymous[:2]), f"a: {anonymous[0]}"
    assert all(answer.is_refused(401, "Unauthorized") for answer in unknown[:2]), f"b: {unknown[0]}"
    assert [answer.code for answer in (*anonymous[2:], *unknown[2:])] == [403, 403, 401, 401], (
        f"c: {anonymous[2]}"
    )


@scenario(
    "VSB-060",
    "the list of a LocalQueue shows nothing of Workloads in others",
    requirement="kep-168-2#local-users",
    shows="VIS-460 VIS-R11 VIS-521 VIS-D08",
    needs=NEEDS,
    clauses={
        "a": "its own Workloads",
        "b": "no name or namespace of others, anywhere in the answer",
        "c": "whatever page is asked for",
    },
    cases=cross().also_drawn(),
)
def test_nothing_foreign(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    first, mine = other.submit("job", cpu="1", priority=9), queue.submit(cpu="1", priority=5)
    last = other.submit(cpu="1", priority=1)
    user = kueue_cluster.make_user()
    user.bind(LQ_VIEWER, queue.namespace)

    within("rights", lambda: user.pending_locally(queue).lists(mine), clause="a")
    body = user.send(queue.pending_locally()).body
    pages = [
        user.send(queue.pending_locally(), page).body
        for page in ("offset=1", "offset=-1", "limit=3&offset=1")
    ]

    foreign = [name.encode() for name in (other.namespace, first.name, last.name, first.job)]
    assert not any(name in body for name in foreign), f"b: {body!r}"
    assert not any(name in page for page in pages for name in foreign), f"c: {pages}"


@scenario(
    "VSB-061",
    "the answer to a user without rights says only that they are missing",
    requirement="visibility-api#precedence",
    shows="VIS-140 VIS-141 VIS-104",
    since="0.15",
    needs=NEEDS,
    level="should",
    cases=cross(fault=tuple(FAULTS)),
    clauses={"a": "403 and no other code, for the ClusterQueue", "b": "and for the LocalQueue"},
)
def test_rights_come_first(kueue_cluster, fault):
    queue = {"missing-queue": kueue_cluster.missing_queue}.get(fault, kueue_cluster.make_queue)()
    rest = {"no-endpoint": "/nonsense"}.get(fault, "")
    user = kueue_cluster.make_user()

    globally = user.send(queue.pending().path + rest, **FAULTS[fault])
    locally = user.send(queue.pending_locally().path + rest, **FAULTS[fault])

    assert globally.code == 403, f"a: {globally}"
    assert locally.code == 403, f"b: {locally}"


@scenario(
    "VSB-062",
    "the refusal names the queue, the user and the requested resource",
    requirement="visibility-api#texts",
    shows="VIS-425 VIS-429 VIS-230",
    level="may",
    needs=NEEDS,
    clauses={"a": "of the ClusterQueue", "b": "of the LocalQueue"},
)
def test_text_of_a_refusal(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    user = kueue_cluster.make_user()
    group, name = "visibility.kueue.x-k8s.io", queue.name
    message = f'User "{user.name}" cannot get resource'

    globally, locally = user.send(queue.pending()), user.send(queue.pending_locally())

    assert globally.message == (
        f'clusterqueues.{group} "{name}" is forbidden: {message} "clusterqueues/pendingworkloads" in API group "{group}" at the cluster scope'
    ), f"a: {globally}"
    assert locally.message == (
        f'localqueues.{group} "{name}" is forbidden: {message} "localqueues/pendingworkloads" in API group "{group}" in the namespace "{queue.namespace}"'
    ), f"b: {locally}"
