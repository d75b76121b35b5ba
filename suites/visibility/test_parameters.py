"""VSB: which part of a list is answered: offset, limit and the parameters of every request (VIS-120…141)."""

import pytest

from kueue_conformance import cross, scenario, within

NEEDS = ("pending-workloads API",)
RECORDED = {"needs": NEEDS, "since": "0.15"}
LISTS = ("cluster-queue", "local-queue")
HUGE = 2**63 - 1
NUMBERS = (
    "abc",
    "1.5",
    "0x2",
    "1e1",
    "",
    "%201",
    "1%20",
    "+1",
    "1_0",
    "%D9%A1",
    "two",
    "null",
    "true",
    "1%00",
    "1%0A",
    "1,2",
    "--1",
    str(HUGE + 1),
    str(-HUGE - 2),
)
IGNORED = (
    "Limit=1",
    "LIMIT=1",
    "foo=1",
    "fieldSelector=metadata.name%3Dx",
    "labelSelector=a%3Db",
    "resourceVersion=5",
    "continue=x",
    "timeoutSeconds=1",
    "export=true",
    "dryRun=All",
    "namespace=other",
    "limit=%zz",
    "limit=1;offset=1",
    "&&",
)


def pending(queue, where):
    return {"cluster-queue": queue.pending(), "local-queue": queue.pending_locally()}[where]


@scenario(
    "VSB-080",
    "offset is the position of the first item, limit the greatest number of items",
    requirement=("kep-168-2#offset-and-limit", "kep-168-2#dashboards"),
    shows="VIS-120 VIS-124 VIS-133 VIS-524 VIS-T03 VIS-T04 VIS-T05 VIS-T16 VIS-T17 VIS-T18",
    needs=NEEDS,
    cases=cross(where=LISTS),
    clauses={
        "a": "the first ones",
        "b": "the last ones",
        "c": "those between",
        "d": "positions are those in the whole queue",
    },
)
def test_pages(kueue_cluster, where):
    queue, workloads = kueue_cluster.make_queue_with_pending(9, 7, 5, 3)
    pending_list = pending(queue, where)
    admin = kueue_cluster.administrator()
    all_items = admin.send(pending_list).items

    within("settle", lambda: pending_list.lists_on_page(*workloads[:2], limit="2"), clause="a")
    within("settle", lambda: pending_list.lists_on_page(*workloads[3:], offset="3"), clause="b")
    within("settle", lambda: pending_list.lists_on_page(*workloads[1:3], offset="1", limit="2"), clause="c")
    pages = [admin.send(pending_list, f"offset={at}&limit=1").items for at in range(4)]
    assert [item for page in pages for item in page] == [*all_items], f"d: {pages}"


@pytest.mark.timeout(600)
@scenario(
    "VSB-081",
    "a list without a limit has at most 1000 items",
    requirement=("kep-168-2#offset-and-limit", "kep-168-2#list-cluster-queue"),
    shows="VIS-120 VIS-121 VIS-123 VIS-T25",
    **RECORDED,
    clauses={
        "a": "without a limit",
        "b": "with the limit 0",
        "c": "the rest follows",
        "d": "all with a greater limit",
    },
)
def test_default_limit(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    queue.submit_many(1001, cpu="1")
    within("settle", lambda: queue.pending().has_length(1000), clause="a")
    admin = kueue_cluster.administrator()

    zero, rest = (admin.send(queue.pending(), query) for query in ("limit=0", "offset=1000"))
    full_list = admin.send(queue.pending_locally(), "limit=5000")

    assert len(zero.items) == 1000, f"b: {len(zero.items)}"
    assert [item["positionInClusterQueue"] for item in rest.items] == [1000], f"c: {rest}"
    assert [item["positionInLocalQueue"] for item in full_list.items] == [*range(1001)], (
        f"d: {len(full_list.items)}"
    )


@scenario(
    "VSB-082",
    "an offset or limit that is too small or too large is brought into range",
    requirement="visibility-api#parameters",
    shows="VIS-121 VIS-122 VIS-123 VIS-124 VIS-125 VIS-T06 VIS-T07 VIS-T19 VIS-T20 VIS-R14 VIS-D06 VIS-D07",
    **RECORDED,
    cases=cross(where=LISTS),
    clauses={
        "a": "a negative limit lists nothing",
        "b": "a negative offset is 0",
        "c": "a great limit lists everything",
        "d": "a great offset lists nothing",
    },
)
def test_ranges(kueue_cluster, where):
    queue, workloads = kueue_cluster.make_queue_with_pending(2, 1)
    pending_list, admin = pending(queue, where), kueue_cluster.administrator()
    names = [f"{workload.namespace}/{workload.name}" for workload in workloads]
    expected = {
        "a": ([], ("limit=-1", f"limit={-HUGE}", "limit=-1&offset=1")),
        "b": (names, ("offset=-1", f"offset={-HUGE - 1}", "offset=-0")),
        "c": (
            names,
            ("limit=2000000000", f"limit={HUGE}", "limit=100001", "limit=00", "limit=-0", "limit=%2B2"),
        ),
        "d": (
            [],
            ("offset=2", f"offset={HUGE}", f"offset={HUGE}&limit={HUGE}", f"offset={HUGE - 5}&limit=1000"),
        ),
    }

    for clause, (listed, queries) in expected.items():
        answers = {query: admin.send(pending_list, query) for query in queries}
        wrong = {
            query: str(answer)
            for query, answer in answers.items()
            if (answer.code, answer.names) != (200, listed)
        }
        assert not wrong, f"{clause}: {wrong}"


@scenario(
    "VSB-083",
    "a parameter that is no number is a bad request",
    requirement="visibility-api#parameters",
    shows="VIS-126 VIS-127",
    **RECORDED,
    level="should",
    cases=cross(where=LISTS, key=("offset", "limit")),
    clauses={"a": "400, without a list"},
)
def test_no_numbers(kueue_cluster, where, key):
    queue, _ = kueue_cluster.make_queue_with_pending(1)
    admin = kueue_cluster.administrator()

    answers = {value: admin.send(pending(queue, where), f"{key}={value}") for value in NUMBERS}

    assert not {
        value: str(answer) for value, answer in answers.items() if not answer.is_refused(400, "BadRequest")
    }, f"a: {answers}"


@scenario(
    "VSB-084",
    "a parameter that is no number is refused with the recorded texts",
    requirement="visibility-api#texts",
    shows="VIS-126 VIS-127 VIS-128",
    **RECORDED,
    level="may",
    clauses={
        "a": "a value that is no number",
        "b": "a number of more than 64 bits",
        "c": "of two bad ones, the offset",
        "d": "a bad timeout",
    },
)
def test_texts_of_bad_numbers(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="0")
    admin = kueue_cluster.administrator()
    expected = {
        "a": ("limit=abc", 'strconv.ParseInt: parsing "abc": invalid syntax'),
        "b": (f"offset={HUGE + 1}", f'strconv.ParseInt: parsing "{HUGE + 1}": value out of range'),
        "c": ("limit=x&offset=y", 'strconv.ParseInt: parsing "y": invalid syntax'),
        "d": ("timeout=abc", 'invalid timeout specified in the request URL - time: invalid duration "abc"'),
    }

    for clause, (query, message) in expected.items():
        answer = admin.send(queue.pending(), query)
        assert answer.message == message, f"{clause}: {answer}"


@scenario(
    "VSB-085",
    "the first of several values of a parameter counts, and an unknown parameter is ignored",
    requirement="visibility-api#parameters",
    shows="VIS-128 VIS-129",
    **RECORDED,
    level="should",
    clauses={"a": "the first limit and the first offset", "b": "other keys, and pairs that cannot be read"},
)
def test_duplicates_and_others(kueue_cluster):
    queue, workloads = kueue_cluster.make_queue_with_pending(3, 2, 1)
    admin = kueue_cluster.administrator()
    names = [f"{workload.namespace}/{workload.name}" for workload in workloads]
    twice = {
        "limit=1&limit=3": names[:1],
        "offset=1&offset=2": names[1:],
        "limit=1&bad=%zz": names[:1],
        "limit=2&&offset=1&": names[1:],
        "limit=3&limit=x": names,
    }

    counted = {query: admin.send(queue.pending(), query).names for query in twice}
    ignored = {query: admin.send(queue.pending(), query).names for query in IGNORED}

    assert counted == twice, f"a: {counted}"
    assert not {
        query: names_of_answer for query, names_of_answer in ignored.items() if names_of_answer != names
    }, f"b: {ignored}"


@scenario(
    "VSB-086",
    "the timeout parameter of a request limits how long it may take",
    requirement="visibility-api#parameters",
    shows="VIS-131 VIS-132",
    **RECORDED,
    level="should",
    clauses={
        "a": "a duration, an empty one, or a negative one",
        "b": "400 for a value that is no duration, before the user is authenticated",
        "c": "504 when the time is over",
    },
)
def test_timeout(kueue_cluster):
    queue, _ = kueue_cluster.make_queue_with_pending(1)
    admin, anonymous = kueue_cluster.administrator(), kueue_cluster.anonymous_client()

    good = {
        text: admin.send(queue.pending(), f"timeout={text}").code for text in ("32s", "1h", "0s", "-1s", "")
    }
    bad = {text: admin.send(queue.pending(), f"timeout={text}") for text in ("abc", "10", "1x", "%20")}
    unknown = anonymous.send(queue.pending(), "timeout=abc")
    late = admin.send(queue.pending(), "timeout=1ns")

    assert set(good.values()) == {200}, f"a: {good}"
    assert all(answer.is_refused(400, "BadRequest") for answer in (*bad.values(), unknown)), f"b: {unknown}"
    assert late.code == 504, f"c: {late}"


@scenario(
    "VSB-087",
    "of several invalid parameters the first is reported",
    requirement="visibility-api#precedence",
    shows="VIS-140 VIS-141",
    **RECORDED,
    level="should",
    clauses={
        "a": "no such path or method before all of the rest",
        "b": "an unacceptable media type before a missing name",
        "c": "a missing name before a table",
        "d": "a table before bad numbers and a missing queue",
        "e": "bad numbers before a missing queue",
        "f": "a missing queue before partial metadata",
    },
)
def test_precedence(kueue_cluster):
    missing, table, partial = (
        kueue_cluster.missing_queue(),
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    )
    path, nameless = missing.pending().path, missing.pending().path.replace(missing.name, "")
    requests_by_example = {
        "a": [
            ({"query": "limit=x", "method": "PUT", "accept": table}, path, 405),
            ({"query": "limit=x", "accept": table}, f"{path}/more", 404),
        ],
        "b": [({"accept": "image/png", "query": "limit=x"}, nameless, 406)],
        "c": [({"accept": table}, nameless, 400)],
        "d": [({"accept": table, "query": "limit=x"}, path, 406), ({"accept": table}, path, 406)],
        "e": [({"query": "limit=x"}, path, 400), ({"query": "limit=x", "accept": partial}, path, 400)],
        "f": [({"accept": partial}, path, 404)],
    }
    admin = kueue_cluster.administrator()

    for clause, requests in requests_by_example.items():
        codes = [admin.send(where, **request).code for request, where, _ in requests]
        assert codes == [code for _, _, code in requests], f"{clause}: {codes}"
