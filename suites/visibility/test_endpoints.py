"""VSB: the paths and methods that are served, and the answers to all others (VIS-101…118)."""

from kueue_conformance import cross, scenario, within

NEEDS = ("pending-workloads API",)
RECORDED = {"needs": NEEDS, "since": "0.15", "level": "should"}
GROUP = "/apis/visibility.kueue.x-k8s.io"
NO_ENDPOINTS = (
    "/clusterqueues",
    "/clusterqueues/{name}",
    "/clusterqueues/{name}/status",
    "/clusterqueues/{name}/admittedworkloads",
    "/clusterqueues/{name}/pendingworkloads/more",
    "/clusterqueues/{name}/pendingworkload",
    "/localqueues",
    "/localqueues/{name}/pendingworkloads",
    "/namespaces",
    "/namespaces/{namespace}",
    "/namespaces/{namespace}/localqueues",
    "/namespaces/{namespace}/localqueues/{name}",
    "/namespaces/{namespace}/clusterqueues/{name}/pendingworkloads",
    "/pendingworkloads",
    "/workloads",
    "/watch/clusterqueues/{name}/pendingworkloads",
    "/proxy/clusterqueues/{name}/pendingworkloads",
    "/clusterqueues//{name}/pendingworkloads",
    "/ClusterQueues/{name}/pendingworkloads",
    "/clusterqueues/{name}%2Fx/pendingworkloads",
    "/clusterqueues/./{name}/pendingworkloads",
    "/namespaces/{namespace}/../localqueues/{name}/pendingworkloads",
)
WRITTEN_WITH_STATUS = ("resourceVersion", "managedFields")
METHODS = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")
WORDS = (
    ("pendingworkloads", "pending%77orkloads"),
    ("clusterqueues", "cluster%71ueues"),
    ("v1beta2", "v1%62eta2"),
    ("queue-", "queue%2D"),
    ("queue-", "%71ueue-"),
)
OTHER_NAMES = ("%20", "%00", "%22", "%C3%A9", "%2Bx", ".x")


@scenario(
    "VSB-070",
    "a queue that does not exist has no list",
    requirement=("visibility-api#queues", "kep-168-2#list-local-queue"),
    shows="VIS-103 VIS-104 VIS-T10 VIS-T21 VIS-T58 VIS-T59",
    needs=NEEDS,
    clauses={
        "a": "404 for the ClusterQueue",
        "b": "404 for the LocalQueue",
        "c": "404 for one of this name in another namespace, or in none",
    },
)
def test_unknown_queues(kueue_cluster):
    queue, missing = kueue_cluster.make_queue(cpu="0"), kueue_cluster.missing_queue()
    elsewhere = queue.pending_locally().path.replace(queue.namespace, kueue_cluster.make_namespace())
    nowhere = queue.pending_locally().path.replace(queue.namespace, "nowhere")
    admin = kueue_cluster.administrator()

    globally, locally = admin.send(missing.pending()), admin.send(missing.pending_locally())
    other_answers = [admin.send(path) for path in (elsewhere, nowhere)]

    assert globally.is_refused(404, "NotFound"), f"a: {globally}"
    assert locally.is_refused(404, "NotFound"), f"b: {locally}"
    assert all(answer.is_refused(404, "NotFound") for answer in other_answers), (
        f"c: {other_answers[0]}, {other_answers[1]}"
    )


@scenario(
    "VSB-071",
    "a queue without pending Workloads has an empty list",
    requirement=("kep-168-2#list-cluster-queue", "visibility-api#queues"),
    shows="VIS-105 VIS-106 VIS-T09",
    needs=NEEDS,
    clauses={
        "a": "an empty array for the ClusterQueue",
        "b": "and for the LocalQueue",
        "c": "and for one whose ClusterQueue does not exist",
    },
)
def test_empty_queues(kueue_cluster):
    queue, headless = kueue_cluster.make_queue(), kueue_cluster.make_queue_without_cluster_queue()
    admin = kueue_cluster.administrator()

    for clause, pending in zip(
        "abc", (queue.pending(), queue.pending_locally(), headless.pending_locally()), strict=True
    ):
        answer = admin.send(pending)
        assert (answer.code, answer.document.get("items")) == (200, []), f"{clause}: {answer}"


@scenario(
    "VSB-072",
    "refusals of queues have the recorded texts",
    requirement="visibility-api#texts",
    shows="VIS-103 VIS-104 VIS-110 VIS-109 VIS-114",
    level="may",
    since="0.15",
    needs=NEEDS,
    clauses={
        "a": "of the ClusterQueue, by its kind in the singular",
        "b": "of the LocalQueue",
        "c": "of a path and a method",
        "d": "of no name",
    },
)
def test_texts(kueue_cluster):
    queue, group = kueue_cluster.missing_queue(), "visibility.kueue.x-k8s.io"
    admin = kueue_cluster.administrator()

    globally, locally = admin.send(queue.pending()), admin.send(queue.pending_locally())
    path, method = admin.send(queue.pending().path + "/more"), admin.send(queue.pending(), method="PUT")
    nameless = admin.send(queue.pending().path.replace(queue.name, ""))

    assert globally.message == f'clusterqueue.{group} "{queue.name}" not found', f"a: {globally}"
    assert globally.document["details"] == {"name": queue.name, "group": group, "kind": "clusterqueue"}, (
        f"a: {globally}"
    )
    assert locally.message == f'localqueue.{group} "{queue.name}" not found', f"b: {locally}"
    assert path.message == "the server could not find the requested resource", f"c: {path}"
    assert method.message == "the server does not allow this method on the requested resource", f"c: {method}"
    assert nameless.message == "name must be provided", f"d: {nameless}"


@scenario(
    "VSB-073",
    "a path that is no endpoint is not found",
    requirement="visibility-api#endpoints",
    shows="VIS-110 VIS-111 VIS-116 VIS-901",
    **RECORDED,
    clauses={"a": "404 below a version that is served", "b": "404 below one that is not"},
)
def test_no_endpoints(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    version = f"{GROUP}/v1beta2"
    admin = kueue_cluster.administrator()

    paths = [version + path.format(name=queue.name, namespace=queue.namespace) for path in NO_ENDPOINTS]
    answers = {path: admin.send(path) for path in paths}
    older = {
        path: admin.send(path)
        for path in (
            f"{GROUP}/v1alpha1",
            f"{GROUP}/v1",
            f"{GROUP}/v9/clusterqueues/{queue.name}/pendingworkloads",
        )
    }

    served = {path: answer for path, answer in answers.items() if not answer.is_refused(404)}
    assert not served, f"a: {served}"
    assert {answer.code for answer in older.values()} == {404}, f"b: {older}"


@scenario(
    "VSB-074",
    "a list can be read and nothing else",
    requirement=("kep-168-2#read-only", "visibility-api#endpoints"),
    shows="VIS-109 VIS-118 VIS-142",
    needs=NEEDS,
    since="0.15",
    revision=2,
    cases=cross(where=("cluster-queue", "local-queue", "missing-queue")),
    clauses={
        "a": "405 for every other method",
        "b": "without a header that names better ones",
        "c": "HEAD has no body",
        "d": "queues and Workloads are as they were, but for the status that a control plane writes",
    },
)
def test_methods(kueue_cluster, where):
    queue, (workload,) = kueue_cluster.make_queue_with_pending(1)
    missing = kueue_cluster.missing_queue()
    pending = {
        "cluster-queue": queue.pending(),
        "local-queue": queue.pending_locally(),
        "missing-queue": missing.pending(),
    }[where]
    objects = workload, *queue.objects
    before = [_without_status(api_object) for api_object in objects]
    admin = kueue_cluster.administrator()

    answers = {method: admin.send(pending, method=method, body=b"{}") for method in METHODS}
    head = admin.send(pending, method="HEAD")

    assert {answer.code for answer in answers.values()} == {405}, (
        f"a: { {method: answer.code for method, answer in answers.items()} }"
    )
    assert not any(answer.header("Allow") for answer in answers.values()), f"b: {answers['POST'].headers}"
    assert (head.code, head.body) == (405, b""), f"c: {head}"
    assert [_without_status(api_object) for api_object in objects] == before, (
        f"d: {[current_object.object for current_object in objects]}"
    )


def _without_status(api_object):
    """Return an object without its status, which is the control plane's to write at any time, and what tells
    of that write.
    """
    manifest = api_object.object
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in WRITTEN_WITH_STATUS}
    return {**manifest, "metadata": metadata, "status": None}


@scenario(
    "VSB-075",
    "paths are read as URLs: escaped, and with slashes at the end",
    requirement="visibility-api#endpoints",
    shows="VIS-113 VIS-116",
    **RECORDED,
    clauses={
        "a": "with slashes behind",
        "b": "with escaped letters in any word",
        "c": "a longer name is another one",
        "d": "a bad escape is a bad request",
    },
)
def test_paths(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(2, 1)
    path, admin = queue.pending().path, kueue_cluster.administrator()
    plain = admin.send(path)

    slashes = [admin.send(path + slash) for slash in ("/", "//")]
    escaped = {word: admin.send(path.replace(word, other, 1)) for word, other in WORDS}
    longer = [admin.send(path.replace(queue.name, queue.name + suffix)) for suffix in OTHER_NAMES]
    broken = admin.send(path.replace(queue.name, "%zz"))

    assert {answer.body for answer in slashes} == {plain.body}, f"a: {slashes[0]}"
    assert {answer.body for answer in escaped.values()} == {plain.body}, f"b: {escaped}"
    assert all(answer.is_refused(404, "NotFound") for answer in longer), (
        f"c: {[str(long_answer) for long_answer in longer]}"
    )
    assert broken.code == 400, f"d: {broken}"


@scenario(
    "VSB-076",
    "no path leads out of the queue that it names",
    requirement=("kep-168-2#local-users", "visibility-api#endpoints"),
    shows="VIS-116 VIS-460",
    needs=NEEDS,
    since="0.15",
    clauses={"a": "a user of one LocalQueue is refused or finds no queue, whatever the path is"},
)
def test_traversal(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(1)
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    secret = other.submit(cpu="1", priority=2)
    user = kueue_cluster.make_user()
    user.bind("kueue-pending-workloads-lq-viewer-role", queue.namespace)
    within("rights", lambda: user.has_list_codes((403, 200), queue, queue))
    version = queue.pending().path.partition("/clusterqueues")[0]
    mine, up = f"{version}/namespaces/{queue.namespace}", f"..%2F{other.namespace}"

    answers = [
        user.send(path)
        for path in (
            f"{mine}/../{other.namespace}/localqueues/{queue.name}/pendingworkloads",
            f"{version}/namespaces/{up}/localqueues/{queue.name}/pendingworkloads",
            f"{mine}/localqueues/..%2F..%2F{up}%2Flocalqueues%2F{queue.name}/pendingworkloads",
            f"{mine}/../../clusterqueues/{queue.name}/pendingworkloads",
            f"{mine}/localqueues/../../clusterqueues/{queue.name}/pendingworkloads",
            f"{mine}/localqueues/%2E%2E/pendingworkloads",
        )
    ]

    assert all(answer.code in {400, 403, 404} for answer in answers), (
        f"a: {[str(traversal) for traversal in answers]}"
    )
    assert not any(secret.name.encode() in answer.body for answer in answers), (
        f"a: {[str(traversal) for traversal in answers]}"
    )


@scenario(
    "VSB-077",
    "an empty name is a bad request, an empty namespace is one without queues",
    requirement="visibility-api#endpoints",
    shows="VIS-114 VIS-115",
    **RECORDED,
    clauses={"a": "400 without a name", "b": "404 without a namespace"},
)
def test_empty_names(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    admin = kueue_cluster.administrator()

    nameless = [
        admin.send(pending_list.path.replace(f"queues/{queue.name}", "queues/"))
        for pending_list in (queue.pending(), queue.pending_locally())
    ]
    homeless = admin.send(queue.pending_locally().path.replace(queue.namespace, ""))

    assert all(answer.is_refused(400, "BadRequest") for answer in nameless), (
        f"a: {nameless[0]}, {nameless[1]}"
    )
    assert homeless.is_refused(404), f"b: {homeless}"


@scenario(
    "VSB-078",
    "a list cannot be watched: a watch request gets the list",
    requirement="visibility-api#endpoints",
    shows="VIS-117",
    **RECORDED,
    clauses={"a": "the same document, which ends"},
)
def test_watch(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(2, 1)
    admin = kueue_cluster.administrator()

    plain = admin.send(queue.pending())

    for query in ("watch=true", "watch=1", "watch=true&timeoutSeconds=1&resourceVersion=0"):
        answer = admin.send(queue.pending(), query)
        assert (answer.code, answer.body) == (200, plain.body), f"a: {answer}"
