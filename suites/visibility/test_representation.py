"""VSB: the content of answers and their media types (VIS-201…231)."""

from kueue_conformance import cross, scenario, within

NEEDS = ("pending-workloads API",)
RECORDED = {"needs": NEEDS, "since": "0.15", "level": "should"}
GROUP = "visibility.kueue.x-k8s.io"
JSON, YAML, PROTOBUF = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"
TABLE, PARTIAL = f"{JSON};as=Table;g=meta.k8s.io;v=v1", f"{JSON};as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
ITEM = {"metadata", "priority", "localQueueName", "positionInClusterQueue", "positionInLocalQueue"}
AS_JSON = (
    "",
    "*/*",
    JSON,
    f"{JSON}, */*",
    f"{JSON};charset=utf-8",
    f"{TABLE},{JSON};as=Table;g=meta.k8s.io;v=v1beta1,{JSON}",
    f"{JSON},{PROTOBUF}",
    f"{JSON};q=0",
)
REFUSED = (
    "image/png",
    "text/html",
    "application/*",
    "APPLICATION/JSON",
    TABLE,
    PARTIAL,
    PARTIAL.replace(";g", "List;g"),
    f"{PARTIAL},{JSON}",
    f"{JSON};as=Nonsense;g=meta.k8s.io;v=v1",
)


@scenario(
    "VSB-088",
    "an item has the fields by which a user finds a Workload, and no others",
    requirement=("kep-168-2#fields", "kep-168-2#dashboards"),
    shows="VIS-201 VIS-202 VIS-203 VIS-205 VIS-206 VIS-207 VIS-T22 VIS-T23 VIS-R18",
    needs=NEEDS,
    clauses={
        "a": "a document of this kind in the requested version",
        "b": "these fields, present also when they are 0",
        "c": "their values",
        "d": "no other metadata",
    },
)
def test_fields(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit(
        cpu="1", annotations={"example.com/secret": "hidden"}, labels={"example.com/team": "hidden"}
    )
    within("settle", lambda: queue.pending().lists(workload))
    pending_list = queue.pending()

    answer = kueue_cluster.administrator().send(pending_list)
    (item,) = answer.items
    metadata = workload.object["metadata"]

    assert answer.document["kind"] == "PendingWorkloadsSummary", f"a: {answer}"
    assert f"/apis/{answer.document['apiVersion']}/" in pending_list.path, f"a: {answer}"
    assert set(item) == ITEM, f"b: {item}"
    assert {key: item[key] for key in ITEM - {"metadata"}} == {
        "priority": 0,
        "localQueueName": queue.name,
        "positionInClusterQueue": 0,
        "positionInLocalQueue": 0,
    }, f"c: {item}"
    assert item["metadata"] == {key: metadata[key] for key in ("name", "namespace", "creationTimestamp")}, (
        f"d: {item}"
    )


@scenario(
    "VSB-089",
    "an item has the owner of its Workload, so that its Job is found",
    requirement="kep-168-2#owners",
    shows="VIS-204 VIS-205 VIS-T53",
    needs=NEEDS,
    clauses={"a": "the Job, by these four fields", "b": "in both lists", "c": "the priority of the Workload"},
)
def test_owners(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    workload = queue.submit("job", cpu="1")
    within("settle", lambda: queue.pending().has_length(1))
    (owner,) = workload.object["metadata"]["ownerReferences"]
    expected = [{key: owner[key] for key in ("apiVersion", "kind", "name", "uid")}]
    admin = kueue_cluster.administrator()

    (globally,), (locally,) = admin.send(queue.pending()).items, admin.send(queue.pending_locally()).items

    assert globally["metadata"].get("ownerReferences") == expected, f"a: {globally}"
    assert locally == globally, f"b: {locally}"
    assert globally["priority"] == workload.object["spec"].get("priority", 0), f"c: {globally}"


@scenario(
    "VSB-090",
    "priorities are those of the Workloads, negative and none included",
    requirement="kep-168-2#fields",
    shows="VIS-205 VIS-512c VIS-T23",
    needs=NEEDS,
    clauses={"a": "in the order of the list", "b": "and each its own"},
)
def test_priorities(kueue_cluster):
    queue, workloads = kueue_cluster.make_queue_with_pending(2_000_000_000, 7, -1)

    items = kueue_cluster.administrator().send(queue.pending()).items

    assert [item["metadata"]["name"] for item in items] == [workload.name for workload in workloads], (
        f"a: {items}"
    )
    assert [item["priority"] for item in items] == [2_000_000_000, 7, -1], f"b: {items}"


@scenario(
    "VSB-091",
    "both versions of the API have the same fields",
    requirement="visibility-api#representation",
    shows="VIS-208 VIS-D01 VIS-T50 VIS-T51",
    **RECORDED,
    until="<0.20.0",
    clauses={"a": "the same list", "b": "each in its own version"},
)
def test_versions(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(3, 2)
    admin = kueue_cluster.administrator()

    for lists in (queue.pending, queue.pending_locally):
        old, new = (admin.send(lists(version=version)) for version in ("v1beta1", "v1beta2"))
        assert old.items == new.items, f"a: {old}, {new}"
        assert [answer.document.get("apiVersion") for answer in (old, new)] == [
            f"{GROUP}/v1beta1",
            f"{GROUP}/v1beta2",
        ], f"b: {old}"


@scenario(
    "VSB-092",
    "an answer is in JSON unless the request accepts another type",
    requirement="visibility-api#representation",
    shows="VIS-220 VIS-224 VIS-226 VIS-230",
    **RECORDED,
    clauses={"a": "the same document for each of these", "b": "reported as JSON"},
)
def test_json(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(1)
    admin = kueue_cluster.administrator()
    plain = admin.send(queue.pending())

    answers = {accept: admin.send(queue.pending(), accept=accept) for accept in AS_JSON}

    assert not {accept: answer for accept, answer in answers.items() if answer.body != plain.body}, (
        f"a: {answers}"
    )
    assert {answer.header("Content-Type") for answer in answers.values()} == {JSON}, f"b: {answers}"


@scenario(
    "VSB-093",
    "an answer is in YAML when the request accepts it, and so is a refusal",
    requirement="visibility-api#representation",
    shows="VIS-221 VIS-231",
    **RECORDED,
    clauses={"a": "the list", "b": "a refusal"},
)
def test_yaml(kueue_cluster):
    queue, (workload,) = kueue_cluster.make_queue_with_pending(1)
    missing, admin = kueue_cluster.missing_queue(), kueue_cluster.administrator()

    answer, refused = (admin.send(pending_queue.pending(), accept=YAML) for pending_queue in (queue, missing))

    assert (answer.code, answer.header("Content-Type")) == (200, YAML), f"a: {answer}"
    assert f"    name: {workload.name}\n".encode() in answer.body, f"a: {answer}"
    assert (refused.code, refused.header("Content-Type")) == (404, YAML), f"b: {refused}"
    assert b"\nreason: NotFound\n" in refused.body, f"b: {refused}"


@scenario(
    "VSB-094",
    "a media type that cannot be produced is refused with 406",
    requirement="visibility-api#representation",
    shows="VIS-222 VIS-223 VIS-225 VIS-227 VIS-R26",
    **RECORDED,
    clauses={
        "a": "other media types, tables and metadata alone",
        "b": "Protobuf, in which refusals are written",
    },
)
def test_not_acceptable(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(1)
    missing, admin = kueue_cluster.missing_queue(), kueue_cluster.administrator()

    refused = {accept: admin.send(queue.pending(), accept=accept) for accept in REFUSED}
    encoded = [admin.send(queue.pending(), accept=accept) for accept in (PROTOBUF, f"{PROTOBUF},{JSON}")]
    absent = admin.send(missing.pending(), accept=PROTOBUF)

    assert not {accept: answer for accept, answer in refused.items() if answer.code != 406}, f"a: {refused}"
    assert [
        (answer.code, answer.header("Content-Type"), answer.body[:4]) for answer in (*encoded, absent)
    ] == [(code, PROTOBUF, b"k8s\0") for code in (406, 406, 404)], f"b: {encoded}, {absent}"


@scenario(
    "VSB-095",
    "JSON is indented for clients such as browsers and curl",
    requirement="visibility-api#representation",
    shows="VIS-130",
    **RECORDED,
    cases=cross(where=("cluster-queue", "missing-queue")),
    clauses={
        "a": "where the query has it, and for curl",
        "b": "and not otherwise",
        "c": "the document is the same",
    },
)
def test_pretty(kueue_cluster, where):
    queue = {
        "cluster-queue": lambda: kueue_cluster.make_queue_with_pending(1)[0],
        "missing-queue": kueue_cluster.missing_queue,
    }[where]()
    admin = kueue_cluster.administrator()
    plain = admin.send(queue.pending())

    indented = [admin.send(queue.pending(), query) for query in ("pretty=true", "pretty=1")]
    for_curl = admin.send(queue.pending(), headers=[("User-Agent", "curl/8.0")])
    compact = [admin.send(queue.pending(), query) for query in ("pretty", "pretty=false", "pretty=nonsense")]

    assert all(b'{\n  "kind"' in answer.body for answer in (*indented, for_curl)), (
        f"a: {indented}, {for_curl}"
    )
    assert {answer.body for answer in compact} == {plain.body}, f"b: {compact}"
    assert all(answer.document == plain.document for answer in (*indented, for_curl)), f"c: {indented}"
