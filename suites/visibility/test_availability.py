"""VSB: a server that is away, and how requests for it are classified (VIS-229, VIS-602…612, VIS-701…711)."""

from kueue_conformance import scenario, within

NEEDS = ("pending-workloads API",)
GROUP = "visibility.kueue.x-k8s.io"
FLOW = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")


@scenario(
    "VSB-098",
    "a server that does not answer is reported as unavailable, without other effects",
    requirement="visibility-api#availability",
    shows="VIS-705 VIS-707 VIS-710 VIS-R01",
    level="should",
    needs=(*NEEDS, "restart of Kueue"),
    clauses={
        "a": "503 for every list and method",
        "b": "403 for users without rights, as before",
        "c": "other objects are read and listed",
        "d": "the group is still discovered",
        "e": "the list is back when the server is, as it was",
    },
)
def test_server_is_away(kueue_cluster):
    queue, workloads = kueue_cluster.make_queue_with_pending(2, 1)
    admin, user = kueue_cluster.administrator(), kueue_cluster.make_user()

    with kueue_cluster.without_control_plane():
        gone = [
            admin.send(queue.pending()),
            admin.send(queue.pending_locally(), accept="application/yaml"),
            admin.send(queue.pending(), method="POST"),
        ]
        refused = user.send(queue.pending())
        other_answers = [
            admin.send(path)
            for path in (
                "/apis/kueue.x-k8s.io/v1beta2/workloads",
                f"/api/v1/namespaces/{queue.namespace}",
                "/apis",
                "/openapi/v3",
                "/version",
            )
        ]
        group = admin.send(f"/apis/{GROUP}")

    assert [answer.code for answer in gone] == [503, 503, 503], f"a: {gone}"
    assert refused.code == 403, f"b: {refused}"
    assert {answer.code for answer in other_answers} == {200}, f"c: {other_answers}"
    assert (group.code, group.document.get("name")) == (200, GROUP), f"d: {group}"
    within("start", lambda: queue.pending().lists(*workloads), clause="e")


@scenario(
    "VSB-099",
    "a request for a list is classified before it is answered or refused",
    requirement="kep-168-2#throttling",
    shows="VIS-142 VIS-229 VIS-601 VIS-609",
    level="should",
    since="0.15",
    needs=NEEDS,
    clauses={
        "a": "an answer tells its flow schema and priority level",
        "b": "so does a refusal of rights",
        "c": "they are objects of the cluster",
        "d": "not that of other users for the members of system:masters",
    },
)
def test_classified(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    admin, user = kueue_cluster.administrator(), kueue_cluster.make_user()
    master = kueue_cluster.make_user(group="system:masters")  # which not every administrator of a cluster is
    path = "/apis/flowcontrol.apiserver.k8s.io/v1/"

    answers = [master.send(queue.pending()), user.send(queue.pending())]
    objects = [
        {item["metadata"]["uid"] for item in admin.send(path + kind).document["items"]}
        for kind in ("flowschemas", "prioritylevelconfigurations")
    ]
    flows = [tuple(answer.header(name) for name in FLOW) for answer in answers]

    assert all(flows[0]), f"a: {answers[0].headers}"
    assert all(flows[1]), f"b: {answers[1].headers}"
    assert all(uid in uids for flow in flows for uid, uids in zip(flow, objects, strict=True)), f"c: {flows}"
    assert flows[0] != flows[1], f"d: {flows}"
