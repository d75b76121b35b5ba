"""VSB: a user is who the credentials say,
through the API server and at the server's own port (VIS-401…429).
"""

from kueue_conformance import cross, scenario, within

NEEDS = ("pending-workloads API",)
DIRECT = (*NEEDS, "the visibility server's own port")
LQ_VIEWER = "kueue-pending-workloads-lq-viewer-role"
FORGED = {
    "user": [("X-Remote-User", "admin"), ("X-Remote-Group", "system:masters")],
    "group": [("X-Remote-Group", "system:masters")],
    "extra": [("X-Remote-User", "admin"), ("X-Remote-Extra-Scopes", "all"), ("X-Remote-Uid", "1")],
    "lower-case": [("x-remote-user", "admin"), ("x-remote-group", "system:masters")],
}
MASKS = {
    "masters": [("Impersonate-User", "admin"), ("Impersonate-Group", "system:masters")],
    "other-user": [("Impersonate-User", "somebody"), ("Impersonate-Group", "system:authenticated")],
}
CREDENTIALS = {
    "none": ([], 403),
    "unknown-token": ([("Authorization", "Bearer nonsense")], 401),
    "lower-case": ([("Authorization", "bearer nonsense")], 401),
    "empty-token": ([("Authorization", "Bearer ")], 403),
    "password": ([("Authorization", "Basic dXNlcjpwYXNz")], 403),
}
FAULTS = {
    "missing-queue": {},
    "delete": {"method": "DELETE"},
    "head": {"method": "HEAD"},
    "bad-limit": {"query": "limit=x"},
    "bad-accept": {"accept": "image/png"},
}


@scenario(
    "VSB-063",
    "headers of a front proxy do not change a client's user",
    requirement="visibility-api#identity",
    shows="VIS-404 VIS-706",
    since="0.15",
    needs=NEEDS,
    cases=cross(header=tuple(FORGED)),
    clauses={"a": "an account without rights stays refused", "b": "so does one without credentials"},
)
def test_forged_headers(kueue_cluster, header):
    queue = kueue_cluster.make_queue(cpu="0")
    account = kueue_cluster.make_account()

    answer = account.send(queue.pending(), headers=FORGED[header])
    anonymous = kueue_cluster.anonymous_client().send(queue.pending_locally(), headers=FORGED[header])

    assert answer.code == 403, f"a: {answer}"
    assert anonymous.code == 403, f"b: {anonymous}"


@scenario(
    "VSB-064",
    "headers of a front proxy at the server's own port have no effect without its certificate",
    requirement="visibility-api#identity",
    shows="VIS-402 VIS-404 VIS-T73",
    since="0.15",
    needs=DIRECT,
    cases=cross(header=tuple(FORGED)),
    clauses={"a": "without credentials", "b": "with a token of an account without rights"},
)
def test_forged_headers_directly(kueue_cluster, header):
    queue = kueue_cluster.make_queue(cpu="0")

    anonymous = kueue_cluster.anonymous_client(direct=True).send(queue.pending(), headers=FORGED[header])
    answer = kueue_cluster.make_account(direct=True).send(queue.pending_locally(), headers=FORGED[header])

    assert anonymous.is_refused(403, "Forbidden"), f"a: {anonymous}"
    assert answer.is_refused(403, "Forbidden"), f"b: {answer}"


@scenario(
    "VSB-065",
    "impersonating another user needs the right to impersonate",
    requirement="visibility-api#identity",
    shows="VIS-409",
    since="0.15",
    needs=DIRECT,
    cases=cross(mask=tuple(MASKS)),
    clauses={"a": "refused through the API server", "b": "refused at the server's own port"},
)
def test_impersonation(kueue_cluster, mask):
    queue = kueue_cluster.make_queue(cpu="0")
    ways = {direct: kueue_cluster.make_account(direct=direct) for direct in (False, True)}
    for account in ways.values():
        account.bind(LQ_VIEWER, queue.namespace)
    within("rights", lambda: ways[True].has_list_codes((403, 200), queue, queue))

    behind = ways[False].send(queue.pending_locally(), headers=MASKS[mask])
    directly = ways[True].send(queue.pending_locally(), headers=MASKS[mask])

    assert behind.code == 403, f"a: {behind}"
    assert directly.code == 403, f"b: {directly}"


@scenario(
    "VSB-066",
    "the server itself checks which lists a user may see, whichever proxy passes the request on",
    requirement=("kep-168-2#local-users", "visibility-api#rights"),
    shows="VIS-420 VIS-421 VIS-422 VIS-429 VIS-451",
    needs=DIRECT,
    clauses={
        "a": "no list without a role",
        "b": "the lists that the role allows",
        "c": "not the list of the ClusterQueue, and not those of other namespaces",
    },
    cases=cross().also_drawn(),
)
def test_rights_directly(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    workload = queue.submit(cpu="1")
    account = kueue_cluster.make_account(direct=True)

    within("settle", lambda: account.has_list_codes((403, 403, 403), queue, queue, other), clause="a")
    account.bind(LQ_VIEWER, queue.namespace)

    within("rights", lambda: account.pending_locally(queue).lists(workload), clause="b")
    within("settle", lambda: account.has_list_codes((403, 200, 403), queue, queue, other), clause="c")


@scenario(
    "VSB-067",
    "a request without valid credentials is not answered at the server's own port",
    requirement="visibility-api#identity",
    shows="VIS-131 VIS-140 VIS-406 VIS-407 VIS-423",
    since="0.15",
    needs=DIRECT,
    cases=cross(credentials=tuple(CREDENTIALS)),
    clauses={
        "a": "for the ClusterQueue",
        "b": "for the LocalQueue",
        "c": "for a queue that does not exist",
        "d": "for discovery",
        "e": "but 400 for a bad timeout, which is read before",
    },
)
def test_credentials_directly(kueue_cluster, credentials):
    headers, code = CREDENTIALS[credentials]
    queue, missing = kueue_cluster.make_queue(cpu="0"), kueue_cluster.missing_queue()
    client = kueue_cluster.anonymous_client(direct=True)
    paths = (queue.pending(), queue.pending_locally(), missing.pending(), "/apis")

    answers = [client.send(path, headers=headers) for path in paths]

    for clause, answer in zip("abcd", answers, strict=True):
        assert answer.code == code, f"{clause}: {answer}"
    hurried = client.send(missing.pending(), "timeout=abc", headers=headers)
    assert hurried.is_refused(400, "BadRequest"), f"e: {hurried}"


@scenario(
    "VSB-068",
    "a request without rights at the server's own port is refused before any other fault is reported",
    requirement="visibility-api#precedence",
    shows="VIS-140 VIS-141",
    since="0.15",
    needs=DIRECT,
    cases=cross(fault=tuple(FAULTS)),
    clauses={"a": "403 and no other code"},
)
def test_rights_come_first_directly(kueue_cluster, fault):
    queue = {"missing-queue": kueue_cluster.missing_queue}.get(fault, kueue_cluster.make_queue)()
    account = kueue_cluster.make_account(direct=True)

    answer = account.send(queue.pending_locally(), **FAULTS[fault])

    assert answer.code == 403, f"a: {answer}"


@scenario(
    "VSB-069",
    "revoked rights take effect within seconds at the server's own port",
    requirement="visibility-api#rights",
    shows="VIS-428",
    needs=DIRECT,
    clauses={
        "a": "answered with the right",
        "b": "refused without it",
        "c": "refused when the account is deleted",
    },
)
def test_rights_are_taken_away_directly(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    account = kueue_cluster.make_account(direct=True)
    binding = account.bind(LQ_VIEWER, queue.namespace)

    within("rights", lambda: account.has_list_codes((403, 200), queue, queue), clause="a")
    binding.delete()
    within("rights", lambda: account.has_list_codes((403, 403), queue, queue), clause="b")

    kueue_cluster.delete_account(account)
    within("rights", lambda: account.is_unauthenticated(queue), clause="c")
